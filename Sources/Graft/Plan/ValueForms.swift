/// The forms of a value in JSON in addition to the usual form of its property's kind. Most properties have none.
struct ValueForms {
  /// The values that are read as null (M20).
  var nulls: [JSON] = []
  /// Whether a single element is also read as a list, and a list as its only element (M22).
  var isLenient = false
  /// The separator of the elements of a list in one string (T8).
  var separator: String?
  /// Whether a dictionary that contains only an identity is an identifier (M21).
  var hasReferences = false
  /// The index of the transformer of identifiers, or -1 (M26).
  var transformer = -1
  /// The key paths of the parts of an identifier (M24).
  var parts: [Part] = []
  /// The keys up to each array that the key path leads through, and the keys after the last array (M25).
  var segments: [[String]] = []

  /// A part of an identifier in several keys.
  struct Part {
    /// The index of the identity value in the identity of the destination; nil for the key of its mapper.
    var index: Int?
    var path: JSONKeyPath
    /// Whether another property reads the same key, or reads an object that encloses the key, so that a value at this key alone does not
    /// make a reference.
    var isShared: Bool
  }

  /// Whether the field needs another field that reads the usual form.
  var isAround: Bool { !nulls.isEmpty || isLenient }

  var isEmpty: Bool {
    !isAround && separator == nil && !hasReferences && transformer < 0 && parts.isEmpty && segments.isEmpty
  }
}
