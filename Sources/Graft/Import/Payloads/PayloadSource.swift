/// The bytes of a payload, or of a piece of a stream, and how to read and name them.
struct PayloadSource {
  /// What the bytes are.
  enum Form {
    /// One JSON document.
    case document
    /// Some elements of a long array, in brackets of their own that stand where the stream has brackets or commas
    /// (``PayloadSource/replaced``).
    case elements
    /// Lines, each one JSON document or blank.
    case lines
  }

  /// What a stream had before a place: places in messages count from its beginning.
  struct Before {
    var bytes = 0
    var lines = 0
    /// Scalars of the line that the place is in.
    var scalars = 0
  }

  /// A byte of the payload that another one stands for while the bytes are read.
  struct Replaced {
    var index: Int
    var byte: UInt8
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let options: ImportOptions
  /// Whether the payload was text: dictionaries have JSON paths, but no lines and columns.
  var isText = true
  /// What was found wrong when dictionaries were turned into text.
  var faults: [ImportFault] = []
  /// For dictionaries, of which only mapped members are read: the text with all of them, for messages.
  var wholeText: (() -> [UInt8])?
  var form = Form.document

  /// For a piece of a stream: how many bytes before and after it are in memory as well, what stood before those, and whether more
  /// are to come.
  var lead = 0
  var trail = 0
  var before = Before()
  var hasMore = false
  /// What the payload has where the bytes have brackets of a piece.
  var replaced: [Replaced] = []
  /// The JSON path of the whole that the bytes are, and how deep it stands in the document it was taken from.
  var rootPath = "$"
  var outerDepth = 0
  /// For elements of an array, how many stand before them.
  var outerElements = 0

  /// Whether nothing comes before it.
  var isAtBeginning: Bool { lead == 0 && before.bytes == 0 }

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ options: ImportOptions) {
    self.bytes = bytes
    self.options = options
  }

  /// The place of some bytes, for people. Expected O(offset).
  func location(_ offset: Int, _ length: Int) -> SourceLocation? {
    var places = TextPlaces()
    return location(offset, length, &places)
  }

  /// The same for one of many places: `places` is this source's.
  func location(_ offset: Int, _ length: Int, _ places: inout TextPlaces) -> SourceLocation? {
    guard isText else { return nil }
    var location = withText {
      SourceLocation(
        file: options.sourceName, offset: offset + lead, length: length, in: $0, hasMore: hasMore, &places)
    }
    if location.line == 1 {
      location.column += before.scalars
      location.excerptColumn += before.scalars
    }
    location.line += before.lines
    location.offset += before.bytes
    return location
  }

  /// Everything that is in memory, as the payload has it.
  private func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let text = UnsafeBufferPointer(start: bytes.baseAddress.map { $0 - lead }, count: lead + bytes.count + trail)
    if replaced.isEmpty { return body(text) }
    var copy = Array(text)
    for original in replaced { copy[lead + original.index] = original.byte }
    return copy.withUnsafeBufferPointer(body)
  }

  /// The lines of some offsets in a text, from 1; nothing for dictionaries. Expected O(bytes), however many they are.
  func lines(of offsets: [Int]) -> [Int: Int] {
    guard isText, !offsets.isEmpty else { return [:] }
    var lines: [Int: Int] = [:]
    var line = before.lines + 1
    var place = -lead
    for offset in Set(offsets).sorted() {
      while place < offset {
        if (bytes.baseAddress.unsafelyUnwrapped + place).pointee == UInt8(ascii: "\n") { line += 1 }
        place += 1
      }
      lines[offset] = line
    }
    return lines
  }

  /// The JSON paths (D7) of values that begin at some offsets. Expected O(bytes), however many they are.
  func paths(to offsets: [Int]) -> [Int: String] {
    let offsets = Set(offsets).sorted()
    var paths: [Int: String] = [:]
    switch form {
    case .document, .elements:
      JSONLocator.paths(
        to: offsets, in: bytes, maxDepth: JSONBuilder.deepest, root: rootPath, firstElement: outerElements
      ) { paths[$0] = $1 }
    case .lines:
      var next = 0
      while next < offsets.count {
        var start = offsets[next]
        while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
        // A line is a document of its own: what follows it has no part in its paths.
        let end = bytes[offsets[next]...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let inLine = offsets[next...].prefix { $0 <= end }
        let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
        JSONLocator.paths(to: inLine.map { $0 - start }, in: line, maxDepth: JSONBuilder.deepest) {
          paths[start + $0] = $1
        }
        next += inLine.count
      }
    }
    return paths
  }
}
