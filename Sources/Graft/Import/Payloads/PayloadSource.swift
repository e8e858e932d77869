/// The bytes of a payload, or of a piece of a stream, with their format and their name in messages.
struct PayloadSource {
  /// The kind of the bytes.
  enum Form {
    /// One JSON document.
    case document
    /// Some elements of a long array, in brackets that replace brackets or commas of the stream (``PayloadSource/replaced``).
    case elements
    /// Lines, each of which is a JSON document or blank.
    case lines
  }

  /// The extent of a stream before an offset. Locations in messages are counted from the beginning of the stream.
  struct Before {
    var bytes = 0
    var lines = 0
    /// The number of scalars before the offset in its line.
    var scalars = 0
  }

  /// A byte of the payload that is replaced by another byte while the bytes are read.
  struct Replaced {
    var index: Int
    var byte: UInt8
  }

  /// The bytes in memory that surround these bytes, if they are a piece of a stream.
  struct Window {
    /// The number of bytes before and after the piece that are in memory.
    var lead = 0
    var trail = 0
    /// The extent of the stream before the bytes in memory.
    var before = Before()
    /// Whether more bytes will arrive.
    var hasMore = false
    /// The bytes of the stream at the positions of the piece's brackets.
    var replaced: [Replaced] = []
  }

  /// The position of the bytes in the document they were taken from.
  struct Root {
    var path = "$"
    var depth = 0
    /// For elements of an array, the number of elements before them.
    var elements = 0
  }

  /// The size of a piece, if it is determined by reading: up to this number of elements or lines, or up to the element or line that
  /// ends after this number of bytes.
  struct Quota {
    var elements: Int
    var bytes: Int

    func isReached(_ elements: Int, bytes: Int) -> Bool { elements >= self.elements || bytes >= self.bytes }
  }

  /// The end of a piece that has a quota.
  struct End {
    /// The number of the piece's elements, or of its lines that are not blank.
    var count: Int
    /// The offset after the last element or line of the piece: of a comma, a line, or the text after the array.
    var offset: Int
    /// Whether the array has ended.
    var isClosed = false
  }

  /// A payload of dictionaries or JSON values that was written as text. It has JSON paths, but no lines and columns.
  struct Written {
    /// The errors in the values.
    var faults: [ImportFault] = []
    /// The text with all members, for messages, if only mapped members were written.
    var wholeText: (() -> [UInt8])?
  }

  let bytes: LentBytes
  let options: ImportOptions
  let form: Form
  let written: Written?
  let window: Window
  let root: Root
  let quota: Quota?

  /// Creates a source from one document.
  init(_ bytes: LentBytes, _ options: ImportOptions) {
    self.init(bytes, options, .document, Window(), Root(), written: nil)
  }

  /// Creates a source from values that were written as text.
  ///
  /// - Parameter path: the JSON path of the value that the bytes represent.
  init(_ bytes: LentBytes, _ options: ImportOptions, written: Written, path: String = "$") {
    self.init(bytes, options, .document, Window(), Root(path: path), written: written)
  }

  /// Creates a source from a piece of a longer payload.
  init(
    _ bytes: LentBytes, _ options: ImportOptions, _ form: Form, _ window: Window, _ root: Root,
    written: Written? = nil, quota: Quota? = nil
  ) {
    self.bytes = bytes
    self.options = options
    self.form = form
    self.window = window
    self.root = root
    self.written = written
    self.quota = quota
  }

  /// Returns the same payload with bytes in which some values are blank. The blank values are treated as correct.
  func replacing(_ bytes: LentBytes) -> PayloadSource {
    var written = written
    written?.faults.removeAll { bytes[$0.offset] == 0x20 }
    return PayloadSource(bytes, options, form, window, root, written: written)
  }

  /// Whether the piece is at the beginning.
  var isAtBeginning: Bool { window.lead == 0 && window.before.bytes == 0 }

  /// Returns the readable location of the given bytes. Expected O(offset).
  func location(_ offset: Int, _ length: Int) -> SourceLocation? {
    var places = TextPlaces()
    return location(offset, length, &places)
  }

  /// Returns the readable location of the given bytes, when many locations are needed. `places` belongs to this source.
  func location(_ offset: Int, _ length: Int, _ places: inout TextPlaces) -> SourceLocation? {
    guard written == nil else { return nil }
    var location = withText {
      SourceLocation(
        file: options.sourceName, offset: offset + window.lead, length: length, in: $0, hasMore: window.hasMore,
        &places)
    }
    if location.line == 1 {
      location.column += window.before.scalars
      location.excerptColumn += window.before.scalars
    }
    location.line += window.before.lines
    location.offset += window.before.bytes
    return location
  }

  /// Calls a closure with everything that is in memory, in the form that it has in the stream. The text is not copied, because the window
  /// may be large and there may be many warnings.
  private func withText<Result>(_ body: (LentBytes) -> Result) -> Result {
    let text = bytes.widened(before: window.lead, behind: window.trail)
    if window.replaced.isEmpty { return body(text) }
    return bytes.withReplaced(window.replaced.map { ($0.index, $0.byte) }) { body(text) }
  }

  /// Returns the lines of the given offsets in a text, from 1; empty for dictionaries. Expected O(bytes), regardless of the number of
  /// offsets.
  func lines(of offsets: [Int]) -> [Int: Int] {
    guard written == nil, !offsets.isEmpty else { return [:] }
    var lines: [Int: Int] = [:]
    var line = window.before.lines + 1
    let text = bytes.widened(before: window.lead, behind: 0)
    var place = 0
    for offset in Set(offsets).sorted() {
      while place < window.lead + offset {
        if text[place] == UInt8(ascii: "\n") { line += 1 }
        place += 1
      }
      lines[offset] = line
    }
    return lines
  }

  /// Returns the JSON paths (D7) of values that begin at the given offsets. Expected O(bytes), regardless of the number of offsets.
  func paths(to offsets: [Int]) -> [Int: String] {
    let offsets = Set(offsets).sorted()
    var paths: [Int: String] = [:]
    switch form {
    case .document, .elements:
      JSONLocator.paths(
        to: offsets, in: bytes, maxDepth: JSONBuilder.deepest, root: root.path, firstElement: root.elements
      ) { paths[$0] = $1 }
    case .lines:
      var next = 0
      while next < offsets.count {
        var start = offsets[next]
        while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
        // A line is a separate document, so the following text does not affect its paths.
        let end = bytes[offsets[next]...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let inLine = offsets[next...].prefix { $0 <= end }
        let line = bytes.part(start..<end)
        JSONLocator.paths(to: inLine.map { $0 - start }, in: line, maxDepth: JSONBuilder.deepest) {
          paths[start + $0] = $1
        }
        next += inLine.count
      }
    }
    return paths
  }
}
