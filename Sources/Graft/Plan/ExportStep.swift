/// One step of writing an object, in the order of the model. Plain data: the exporter reads it through a pointer.
///
///     {"id":4,"publisher":{"name":"DC","city":"NY"}}
///      value   openGroup    value       value     closeGroup
struct ExportStep {
  enum Action: UInt8 {
    case attribute, toOne, toMany
    case openGroup, closeGroup
    /// The key of a declarative mapper, where no attribute writes it.
    case discriminator
  }

  /// How an attribute's value is written.
  enum Writing: UInt8 {
    case plain
    /// An integer in quotes: the reverse of `StringToInteger`.
    case quotedInteger
    /// The reverse closure of a transformer.
    case reversed
  }

  var action: Action
  /// `"key":` as bytes.
  var prefix: UnsafePointer<UInt8>
  var prefixCount: Int
  var slot = -1
  var writing = Writing.plain
  var isIdentifier = false
  /// The value of a mapper's key; also what an attribute at the mapper's key path writes when it is nil.
  var discriminator: UnsafePointer<UInt8>?
  var discriminatorCount = 0
}
