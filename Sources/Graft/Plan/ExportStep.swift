/// One step of writing an object, in the order of the model. A step is plain data, because the exporter reads it through a pointer.
///
///     {"id":4,"publisher":{"name":"DC","city":"NY"}}
///      value   openGroup    value       value     closeGroup
struct ExportStep {
  enum Action: UInt8 {
    case attribute, toOne, toMany
    case openGroup, closeGroup
    /// The key of a declarative mapper, unless an attribute writes it.
    case discriminator
    /// A value of the identifier of a to-one relationship's object (M24).
    case part
    /// Writes nothing, but reports an omitted to-one relationship in several keys. This step follows the steps of the relationship's parts.
    case reference
    /// Writes nothing, but reports a to-one relationship in several keys that this export does not write, if an import would
    /// read a different object in its place.
    case unwritten
    /// Writes the members of the object that is the `@value` into the same dictionary (M23). This is the last step.
    case shared
  }

  /// The way to write an attribute's value.
  enum Writing: UInt8 {
    case plain
    /// An integer in quotes: the reverse of `StringToInteger`.
    case quotedInteger
    /// The reverse closure of a transformer.
    case reversed
    /// The elements of a list as one string (T8).
    case joined
    /// The elements of a list, each in its own object (M25).
    case wrapped
    /// A value that is written in the form that the property declares, unless an import would read this form as null (M20).
    case checked

    /// The way to write the values of an attribute with a transformer.
    init(_ transformer: ValueTransformer, _ attribute: AttributeDescription) {
      if transformer.keepsText(of: attribute.type) {
        self = .plain
      } else if transformer.builtIn == .stringToInteger, attribute.type.integerRange != nil, !attribute.isList {
        self = .quotedInteger
      } else {
        self = transformer.reverse != nil ? .reversed : .plain
      }
    }
  }

  var action: Action
  /// `"key":` as bytes.
  var prefix: LentBytes
  var slot = -1
  var writing = Writing.plain
  var isIdentifier = false
  /// The beginning of the object that encloses each element of a list: `{"node":`. Empty if the elements are not enclosed (M25).
  var wrapper = LentBytes()
  /// For a part, the index of its identity value; -1 for the key of the mapper.
  var part = -1
  /// Whether the step writes a to-one relationship at a key that a reference in several keys also needs (M24).
  var sharesKey = false
  /// The value at a mapper's key path. The step of an attribute at that path writes this value if the attribute is nil.
  var discriminator: Discriminator?

  /// `"key"` as bytes.
  var key: LentBytes { prefix.part(0..<prefix.count - 1) }

  /// The key of a mapper's table, as JSON (D4).
  struct Discriminator {
    /// The key's form if the payload had a string.
    var text: LentBytes
    /// The key's form if the payload had a number or boolean.
    var bareText: LentBytes
  }
}
