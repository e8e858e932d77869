/// A container that the importer is reading. A stack of these replaces recursion (I15).
///
///     {"heroes": [ {"id": 1, "powers": [ {"id": 4 ...
///      object      list object            list object     <- frames, the last one is where the scanner stands
struct ImportFrame {
  enum Kind: UInt8 {
    /// The members of an object.
    case object
    /// The members of an object along a key path; they belong to the object frame below.
    case group
    /// The elements of an array of objects or identifiers: a to-many, or the whole payload.
    case list
    /// The members of an object whose values are the elements (M11).
    case keyed
    /// The members of an object whose keys are the positions of a list (M22).
    case numbered
    /// A value that stands for a list of one (M22).
    case single
    /// The values on a path through arrays (M25).
    case spread
    /// JSON Lines whose end is found by reading them: the whole piece.
    case lines
    /// The relationships of the object frame below to objects that are identified inside it (M12).
    case owned
  }

  /// Whether its values are the elements of a list, with positions.
  var isList: Bool {
    switch kind {
    case .list, .numbered, .single, .spread: true
    default: false
    }
  }

  /// The facts about an object, or about the object around a group.
  struct Marks {
    /// No mapper selected its entity (I7).
    var isUnanswered = false
    /// Identity values were read ahead.
    var isPrefilled = false
    /// The text is a dictionary transformer's result, not the payload itself.
    var isTransformed = false
    /// The value of the mapper's key was a number or a boolean.
    var hasBareDiscriminator = false
    /// The field of `@value` has read the element: it is no object, or its object's members have been read before.
    var isElementValue = false
    /// The dictionary is that of the object below, whose `@value` this one is (M23).
    var isShared = false
    /// The dictionary is kept for hooks.
    var hasPayload = false
    /// An earlier dictionary of the payload described the object.
    var isRepeated = false
    /// The same bytes would mean the same again: see ``RepeatedObjects``.
    var isRepeatable = false
  }

  /// A row, and the length of the journal when an object began that probably describes it: until it grows, the row is
  /// unchanged.
  struct ExpectedRow {
    let row: Row
    let journalCount: Int
  }

  var kind: Kind
  /// A member or element has been read: a comma or the end is next.
  var isStarted = false
  var marks = Marks()
  /// The object's entity, or the destination of the list.
  var entity: Int
  /// For groups and objects: the possible keys.
  var group: Int
  /// First cell of the object; a group has those of its object.
  var cells: Int
  /// The field of the frame below that this one is the value of; -1: an element of a list.
  var field: Int
  /// The field that was read last; -1: none yet.
  var previous = -1
  /// The start of the rows of a list, and the start of rows before an object was read.
  var rows: Int
  /// The offset of the opening byte in the payload.
  var offset: Int
  /// The same position in the text that is read, which may be the result of a dictionary transformer. The last object, for JSON
  /// Lines.
  var start: UnsafePointer<UInt8>
  /// The position of the element of an array that was read last.
  var index = -1
  /// The key of an object, as text; nil for an element of an array.
  var key: LentBytes?
  /// The row that the object probably describes.
  var expected: ExpectedRow?

  /// Whether objects inside an object have read values from it (M19). Only arrays need ``index``, so no object pays for this.
  var wasAsked: Bool {
    get { index >= 0 }
    set { index = newValue ? 0 : -1 }
  }
}
