/// A container that the importer is reading. A stack of these replaces recursion (I15).
///
///     {"heroes": [ {"id": 1, "powers": [ {"id": 4 ...
///      object      list object            list object     <- frames; the scanner is in the last one
struct ImportFrame {
  enum Kind: UInt8 {
    /// The members of an object.
    case object
    /// The members of an object along a key path; they belong to the object frame below.
    case group
    /// The elements of an array of objects or identifiers: a to-many relationship, or the whole payload.
    case list
    /// The members of an object whose values are the elements (M11).
    case keyed
    /// The members of an object whose keys are the positions of a list (M22).
    case numbered
    /// A value that is read as a list with one element (M22).
    case single
    /// The values on a path through arrays (M25).
    case spread
    /// A whole piece of JSON Lines, whose end is found by reading it.
    case lines
    /// The relationships of the object frame below to objects that are identified inside it (M12).
    case owned
  }

  /// Whether the values in the frame are the elements of a list, with positions.
  var isList: Bool {
    switch kind {
    case .list, .numbered, .single, .spread: true
    default: false
    }
  }

  /// The facts about an object, or about the object that contains a group.
  struct Marks {
    /// Whether no mapper selected its entity (I7).
    var isUnanswered = false
    /// Whether identity values were read ahead.
    var isPrefilled = false
    /// Whether the text is a dictionary transformer's result, not the payload itself.
    var isTransformed = false
    /// Whether the value of the mapper's key was a number or a boolean.
    var hasBareDiscriminator = false
    /// Whether the field of `@value` has read the element: it is not an object, or its object's members have already been read.
    var isElementValue = false
    /// Whether the dictionary belongs to the object below, whose `@value` this object is (M23).
    var isShared = false
    /// Whether the dictionary is kept for hooks.
    var hasPayload = false
    /// Whether a list had an element that was skipped and that nothing replaces (D13).
    var hasSkipped = false
    /// Whether an earlier dictionary of the payload described the object.
    var isRepeated = false
    /// Whether the same bytes would have the same meaning again; see ``RepeatedObjects``.
    var isRepeatable = false
  }

  /// A row, and the length of the journal at the beginning of an object that probably describes the row. Until the journal grows,
  /// the row is unchanged.
  struct ExpectedRow {
    let row: Row
    let journalCount: Int
  }

  var kind: Kind
  /// Whether a member or element has been read, so the next token is a comma or the end.
  var isStarted = false
  var marks = Marks()
  /// The object's entity, or the destination of the list.
  var entity: Int
  /// For groups and objects: the possible keys.
  var group: Int
  /// The first cell of the object; a group uses its object's cells.
  var cells: Int
  /// The field of the frame below whose value this frame is; -1 for an element of a list.
  var field: Int
  /// The field that was read last; -1 if none.
  var previous = -1
  /// For a list, the index at which its rows begin. For an object, the number of rows before the object was read.
  var rows: Int
  /// The offset of the opening byte in the payload.
  var offset: Int
  /// The position of that byte in the text being read, which may be the result of a dictionary transformer. For JSON Lines, the
  /// position of the last object.
  var start: UnsafePointer<UInt8>
  /// The position of the array element that was read last.
  var index = -1
  /// The key of an object, as text; nil for an element of an array.
  var key: LentBytes?
  /// The row that the object probably describes.
  var expected: ExpectedRow?

  /// Whether objects inside an object have read values from it (M19). The flag is stored in ``index``, which only arrays need, so it takes
  /// no memory.
  var wasAsked: Bool {
    get { index >= 0 }
    set { index = newValue ? 0 : -1 }
  }
}
