/// One step of writing an object, in the order of the model. Plain data, read through a pointer-free array.
///
///     {"id":4,"publisher":{"name":"DC","city":"NY"}}
///      value   open       value        value      close
struct ExportStep {
  enum Action {
    case value
    case openGroup
    case closeGroup
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
  var prefix: [UInt8] = []
  var slot = -1
  var writing = Writing.plain
  var representation = RelationshipDescription.JSONRepresentation.object
  /// The bytes of a discriminator's value; also what an attribute at the mapper's key path writes when it is nil.
  var discriminator: [UInt8]?
}
