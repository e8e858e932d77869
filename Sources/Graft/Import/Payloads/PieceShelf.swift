/// The pieces that an import has read, for code that needs their bytes again at the end of the import: errors, reports and hooks.
///
///     payloads   | heroes.json     | events.jsonl, piece 1 | piece 2 ...
///     offsets    0                 base                    base              one number line for all pieces
///
/// Bytes are kept by their owner, or read again from their source. If neither is possible, the bytes are lost, and with
/// them the locations of findings at the end of the payload.
final class PieceShelf {
  /// The state that the pieces of one payload share.
  final class Origin {
    /// Reads the given bytes of the payload again. Returns fewer bytes at the end of the payload, and nil if the bytes are no longer
    /// available.
    let rereads: (Range<Int>) -> [UInt8]?
    /// Returns whether the payload can be read again up to an offset.
    let reaches: (Int) -> Bool

    init(_ rereads: @escaping (Range<Int>) -> [UInt8]?, reaches: @escaping (Int) -> Bool = { _ in true }) {
      self.rereads = rereads
      self.reaches = reaches
    }
  }

  /// A location in the payloads.
  struct Spot {
    var path = "$"
    /// The line in JSON Lines.
    var line: Int?
    var sourceName: String
  }

  private struct Piece {
    var base: Int
    var count: Int
    /// The extent before the text that is in memory with the piece, and the length of the part of that text before the piece.
    var before: PayloadSource.Before
    var lead: Int
    var form: PayloadSource.Form
    var elements: Int
    /// The number of brackets that were added to the text.
    var brackets: Int
    var kind: Int
  }

  /// The values that are the same for all pieces of a payload.
  private struct Kind {
    var options: ImportOptions
    var isText: Bool
    var root: PayloadSource.Root
    var origin: Origin?
  }

  private var pieces: [Piece] = []
  private var kinds: [Kind] = []
  /// The last piece, while it is being read.
  private var live: PayloadSource?
  /// The locations in pieces whose bytes are no longer available, by their offsets.
  private var keptPlaces: [Int: ImportFault.Place] = [:]
  /// The locations of values that objects read from outside (M19).
  var surroundingPlaces = SurroundingPlaces()
  /// The piece that was read again last.
  private var loaded: (index: Int, source: PayloadSource, text: ScratchText)?

  /// Only mapped members of dictionaries are read. This is the text with all members, created on the first request, and the number of
  /// requests.
  private var whole: (bytes: [UInt8], lookups: Int)?

  /// Whether messages show neither the text of the payload nor keys that may be inside a value, because the model has sensitive
  /// attributes (M29).
  var hidesValues = false

  deinit { loaded?.text.free() }

  /// The maximum number of searches for an object among dictionaries, because each search starts at the beginning.
  private static let mostLookups = 200

  /// The maximum number of locations that are kept.
  private static let mostKeptPlaces = 1_000

  /// The bytes after a piece that an excerpt may show.
  private static let trail = 4 * SourceLocation.longestExcerpt + 64

  /// Adds a piece that is about to be read.
  ///
  /// - Parameter origin: the later location of the piece's bytes; nil if the bytes stay in place.
  /// - Returns: the offset of the piece's first byte.
  func add(_ source: PayloadSource, _ origin: Origin?) -> Int {
    var base = pieces.last.map { $0.base + $0.count + 1 } ?? 0
    // Offsets are counted from an address, which must not be null.
    if base > 0, source.bytes.address == UInt(bitPattern: base) { base += 1 }
    if kinds.isEmpty || origin == nil || kinds[kinds.count - 1].origin !== origin {
      kinds.append(
        Kind(
          options: source.options, isText: source.written == nil, root: source.root, origin: origin))
    }
    pieces.append(
      Piece(
        base: base, count: source.bytes.count, before: source.window.before, lead: source.window.lead,
        form: source.form, elements: source.root.elements, brackets: source.window.replaced.count,
        kind: kinds.count - 1))
    live = source
    return base
  }

  /// Releases the bytes of the last piece.
  func release() { live = nil }

  /// Keeps the first locations in the last piece that may be needed at the end, if its bytes will then be lost. Excerpts are
  /// not kept.
  func keepPlaces(of offsets: () -> [Int]) {
    guard let last = pieces.last, keptPlaces.count < PieceShelf.mostKeptPlaces,
      let origin = kinds[last.kind].origin, !origin.reaches(last.before.bytes + last.lead + last.count)
    else { return }
    let here = offsets().filter { piece(at: $0) == pieces.count - 1 }
    let offsets = Array(here.prefix(PieceShelf.mostKeptPlaces - keptPlaces.count))
    for (offset, place) in zip(offsets, places(of: offsets.map { ($0, ($0, 1)) })) {
      keptPlaces[offset] = place
      keptPlaces[offset]?.location?.excerpt = ""
    }
  }

  /// The source of a piece and the offset of its first byte, until another piece is requested; nil if they are no longer available.
  subscript(index: Int) -> (source: PayloadSource, base: Int)? { source(index).map { ($0, pieces[index].base) } }

  // MARK: Finding

  /// Returns the index of the piece that contains an offset.
  func index(of offset: Int) -> Int? { offset < 0 ? nil : piece(at: offset) }

  private func piece(at offset: Int) -> Int? {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].base <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 && offset <= pieces[low - 1].base + pieces[low - 1].count ? low - 1 : nil
  }

  private func source(_ index: Int) -> PayloadSource? {
    if index == pieces.count - 1, let live { return live }
    if let loaded, loaded.index == index { return loaded.source }
    return load(index)
  }

  private func load(_ index: Int) -> PayloadSource? {
    let place = pieces[index]
    let kind = kinds[place.kind]
    let range = place.lead..<place.lead + place.count
    let first = place.before.bytes
    let wanted = first..<first + range.upperBound + PieceShelf.trail
    guard var bytes = kind.origin?.rereads(wanted), bytes.count >= range.upperBound else { return nil }
    loaded?.text.free()
    let window = PayloadSource.Window(
      lead: place.lead, trail: bytes.count - range.upperBound, before: place.before,
      hasMore: bytes.count == wanted.count, replaced: replaceBrackets(place.brackets, in: &bytes, range))
    var root = kind.root
    root.elements = place.elements
    var text = ScratchText()
    let source = PayloadSource(
      text.copy(bytes).part(range), kind.options, place.form, window, root,
      written: kind.isText ? nil : PayloadSource.Written())
    loaded = (index, source, text)
    return source
  }

  /// Adds brackets to a piece.
  ///
  /// - Returns: the replaced bytes.
  private func replaceBrackets(
    _ count: Int, in text: inout [UInt8], _ range: Range<Int>
  ) -> [PayloadSource.Replaced] {
    let brackets = [(range.lowerBound, UInt8(ascii: "[")), (range.upperBound - 1, UInt8(ascii: "]"))]
    return brackets.prefix(count).map { index, bracket in
      defer { text[index] = bracket }
      return PayloadSource.Replaced(index: index - range.lowerBound, byte: text[index])
    }
  }

  // MARK: Asking

  /// Returns a scanner at an offset, which is valid until the next scanner is requested; nil if the bytes are no longer available.
  func scanner(at offset: Int) -> JSONScanner? {
    guard let index = piece(at: offset), let source = source(index) else { return nil }
    var scanner = JSONScanner(source.bytes, maxDepth: JSONBuilder.deepest, base: pieces[index].base)
    scanner.advance(offset - pieces[index].base)
    return scanner
  }

  /// Whether only some members of the payload were written as text to be read.
  var isWritten: Bool { live?.written?.wholeText != nil }

  /// Returns the first members of an object, up to the first syntax error; for dictionaries, including unmapped members.
  func members(ofObjectAt offset: Int, most: Int) -> [JSONLocator.Member] {
    inspect(valueAt: offset) { JSONLocator.members(in: $0, most: most) } ?? []
  }

  /// Calls a closure with a scanner at a value; for dictionaries, with a scanner at text that has all members.
  ///
  /// - Returns: nil if the bytes are no longer available.
  func inspect<Result>(valueAt offset: Int, _ body: (JSONScanner) -> Result) -> Result? {
    let lookups = whole?.lookups ?? 0
    guard let wholeText = live?.written?.wholeText, lookups < PieceShelf.mostLookups else {
      return scanner(at: offset).map(body)
    }
    guard let index = piece(at: offset), let source = source(index) else { return nil }
    let bytes = whole?.bytes ?? wholeText()
    whole = (bytes, lookups + 1)
    let steps = JSONLocator.steps(
      to: offset - pieces[index].base, in: source.bytes, maxDepth: JSONBuilder.deepest)
    return LentBytes.with(bytes) { bytes in
      var reader = JSONScanner(bytes, maxDepth: JSONBuilder.deepest)
      guard JSONLocator.move(&reader, by: steps) else { return nil }
      reader.restart(atDepth: 0)
      return body(reader)
    }
  }

  /// Returns whether the value at an offset is inside an object rather than in a list at the root.
  func isInsideOfObject(_ offset: Int) -> Bool {
    guard let index = piece(at: offset), let source = source(index) else { return false }
    let steps = JSONLocator.steps(
      to: offset - pieces[index].base, in: source.bytes, maxDepth: JSONBuilder.deepest)
    return steps.contains { if case .element = $0 { false } else { true } }
  }

  /// Returns whether the value at an offset is the whole payload, that is, whether nothing precedes it.
  func isWholePayload(_ offset: Int) -> Bool {
    guard let index = piece(at: offset), let source = source(index),
      source.isAtBeginning || source.form == .document && source.root.path == "$"
    else { return false }
    let start = source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return source.bytes[start...].firstIndex { $0 > 0x20 } == offset - pieces[index].base
  }

  /// Locates errors in their payloads, as long as the bytes are available.
  func place(_ faults: ArraySlice<ImportFault>) -> [ImportFault] {
    var faults = Array(faults)
    let unplaced = faults.indices.filter { faults[$0].place == nil }
    let places = places(of: unplaced.map { (faults[$0].offset, faults[$0].caret) })
    for (index, place) in zip(unplaced, places) { faults[index].place = place }
    if hidesValues { for index in faults.indices { faults[index].hideText() } }
    let notes = faults.indices.flatMap { index in faults[index].notes.indices.map { (fault: index, note: $0) } }
    let offsets = notes.map { faults[$0.fault].notes[$0.note].offset }
    for (index, place) in zip(notes, self.places(of: offsets.map { ($0, ($0, 1)) })) {
      faults[index.fault].notes[index.note].place = place
    }
    return faults
  }

  /// Returns the locations of the given offsets, each with its underlined range. Offsets outside any payload and offsets of lost
  /// bytes have no location.
  private func places(of spots: [(offset: Int, caret: (offset: Int, length: Int))]) -> [ImportFault.Place] {
    var places = Array(repeating: ImportFault.Place(), count: spots.count)
    let order = spots.indices.filter { spots[$0].offset >= 0 }.sorted { spots[$0].offset < spots[$1].offset }
    for (piece, group) in grouped(order.map { spots[$0].offset }) {
      let members = group.map { order[$0] }
      guard let source = source(piece) else {
        for index in members { places[index] = keptPlaces[spots[index].offset] ?? ImportFault.Place() }
        continue
      }
      let base = pieces[piece].base
      let paths = source.paths(to: members.map { spots[$0].offset - base })
      var lines = TextPlaces()
      for index in members {
        let caret = spots[index].caret
        places[index] = ImportFault.Place(
          location: source.location(caret.offset - base, caret.length, &lines),
          path: paths[spots[index].offset - base] ?? "$")
        if hidesValues { places[index].location?.excerpt = "" }
      }
    }
    return places
  }

  /// Returns the locations of the given offsets, for reports. Offsets whose bytes are lost have the path of the whole payload.
  func spots(of offsets: [Int]) -> [Int: Spot] {
    var spots: [Int: Spot] = [:]
    let offsets = Set(offsets).sorted()
    for (piece, group) in grouped(offsets) {
      let name = kinds[pieces[piece].kind].options.sourceName
      let base = pieces[piece].base
      let inner = group.map { offsets[$0] - base }
      let source = source(piece)
      let paths = source?.paths(to: inner) ?? [:]
      let lines = source?.lines(of: inner) ?? [:]
      for offset in inner {
        spots[offset + base] = Spot(path: paths[offset] ?? "$", line: lines[offset], sourceName: name)
      }
    }
    return spots
  }

  /// Groups the indexes of ascending offsets by piece, so that each piece is read again at most once. An offset before all
  /// pieces, such as an offset outside any payload, belongs to the first piece.
  private func grouped(_ offsets: [Int]) -> [(piece: Int, members: [Int])] {
    var groups: [(piece: Int, members: [Int])] = []
    for (index, offset) in offsets.enumerated() {
      guard let piece = piece(at: max(0, offset)) else { continue }
      if groups.last?.piece == piece {
        groups[groups.count - 1].members.append(index)
      } else {
        groups.append((piece, [index]))
      }
    }
    return groups
  }
}
