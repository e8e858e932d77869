/// Values that objects read from their surroundings (M19). Each value is read once, regardless of how many objects need it.
///
///     {"meta": {"page": 3}, "orders": [{"lines": [{...}, {...}], "id": 7}, ...]}
///      document               frame 1: "id" is read for its first line, and remembered for the second
///
/// The cells of an object's values are valid for as long as the object is open. Values of the document have their own texts,
/// because the reader discards texts when an object of the payload has ended.
struct SurroundingValues {
  /// The source of a value.
  enum Origin {
    /// An open object, identified by the number of its frame.
    case frame(Int)
    /// The innermost of the objects that enclose the payload's objects.
    case envelope(UnsafePointer<UInt8>)
    case document(UnsafePointer<UInt8>)
  }

  /// A value that was read, or that does not exist.
  struct Value {
    /// The field that requested it.
    var field: Int
    var cell = Cell.absent
    /// The errors in the value, if there are any.
    var faults = FaultLog.Aside()
    /// The value's offset in the payload; -1 if the value is absent, or in the text of a transformer.
    var offset = -1
  }

  private var ofFrames: [[Value]] = []
  private var ofEnvelope: [Value] = []
  private var ofDocument: [Value] = []
  private var texts = ScratchText()
  private(set) var envelope: UnsafePointer<UInt8>?
  private(set) var document: UnsafePointer<UInt8>?
  private var isDocument = true
  /// The number of further bytes that may be copied before they exceed the limit of a payload.
  private(set) var room = 0

  func free() {
    var texts = texts
    texts.free()
  }

  /// Begins a piece.
  ///
  /// - Parameters:
  ///   - room: how many bytes can be added to the piece before it reaches the limit.
  ///   - isDocument: whether the piece consists of one or more whole documents, rather than part of a document.
  mutating func begin(room: Int, isDocument: Bool) {
    self.room = room
    self.isDocument = isDocument
  }

  /// Begins a document.
  mutating func enter(_ documents: PayloadDocuments) {
    ofEnvelope.removeAll(keepingCapacity: true)
    ofDocument.removeAll(keepingCapacity: true)
    texts.reset()
    envelope = documents.innermost
    document = isDocument ? documents.root : nil
  }

  /// Begins one of the payload's objects whose enclosing object differs from the previous object's (M25).
  mutating func enter(_ parent: UnsafePointer<UInt8>) {
    if envelope == parent { return }
    ofEnvelope.removeAll(keepingCapacity: true)
    envelope = parent
  }

  // MARK: Values

  /// Returns the value that a field has already requested, or nil if it has not.
  func value(_ field: Int, from origin: Origin) -> Value? {
    switch origin {
    case .frame(let number): ofFrames[number].first { $0.field == field }
    case .envelope: ofEnvelope.first { $0.field == field }
    case .document: ofDocument.first { $0.field == field }
    }
  }

  /// Discards the values of an object that had the same frame before.
  mutating func open(_ frame: Int) {
    while ofFrames.count <= frame { ofFrames.append([]) }
    ofFrames[frame].removeAll(keepingCapacity: true)
  }

  /// Remembers a value.
  ///
  /// - Parameter text: the text from which it was read, whose contents remain valid.
  /// - Returns: the value, whose own text remains valid for as long as the value is remembered.
  mutating func keep(_ value: Value, from origin: Origin, in text: Range<UnsafePointer<UInt8>>) -> Value {
    var value = value
    switch origin {
    case .frame(let number):
      ofFrames[number].append(value)
      return value
    case .envelope, .document: break
    }
    if value.cell.tag == .text, let start = value.cell.bytes.baseAddress, value.cell.count > 0, !text.contains(start) {
      value.cell = .text(texts.copy(value.cell.bytes))
    }
    if case .envelope = origin { ofEnvelope.append(value) } else { ofDocument.append(value) }
    return value
  }

  /// Counts bytes that are copied into an object. Returns false if there are too many.
  mutating func take(_ bytes: Int) -> Bool {
    room -= bytes
    return room >= 0
  }
}
