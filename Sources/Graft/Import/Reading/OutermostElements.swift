/// The elements of a payload's outermost lists, which a tolerant import can leave out (I18).
///
///     {"items": [{"id": 1}, {"id": "x"}]}         an array: its elements
///     {"4": {"name": "A"}, "5": {"name": 7}}      a collection by keys (M11): its members
///     {"id": 1}                                   JSON Lines: each line, or the elements of its array
///     {"id": "x"}
struct OutermostElements {
  /// An element, and the comma after it.
  struct Element {
    /// The element's bytes in the piece, with its key if it has one.
    var range: Range<Int>
    var comma: Int?
    var entity: Int
    var hasKey = false
  }

  private var lists: [[Element]] = []
  /// For JSON Lines, the documents that contain a list, and the number of the list.
  private var lines: [(range: Range<Int>, list: Int)] = []

  /// Finds the elements of a piece that has been read without a syntax error.
  init(_ source: PayloadSource, _ parts: [PlannedPart], _ plan: Plan) {
    var scratch = ScratchText()
    defer { scratch.free() }
    for part in parts {
      var scanner = JSONScanner(source.bytes, maxDepth: JSONBuilder.deepest)
      var documents = PayloadDocuments(source, part, source.options.words)
      do throws(JSONSyntaxError) {
        while try documents.enter(&scanner, &scratch) {
          if documents.fault != nil {
            addLine(source, scanner, part.entity)
            continue
          }
          let (start, count) = (documents.root ?? scanner.position, lists.count)
          if scanner.peek == UInt8(ascii: "[") {
            try addElements(&scanner, part.entity, areMembers: false)
          } else if scanner.peek == UInt8(ascii: "{"), plan.isKeyedCollection(scanner, of: part.entity) {
            try addElements(&scanner, part.entity, areMembers: true)
          } else {
            if source.form == .lines { addLine(source, scanner, part.entity) }
            try scanner.skipValue()
          }
          if source.form == .lines, lists.count > count {
            let offset = scanner.offset
            lines.append((offset - (scanner.position - start)..<offset + (scanner.end - scanner.position), count))
          }
          try documents.leave(&scanner, &scratch)
        }
      } catch {
        // This cannot happen, because a piece with a syntax error is not imported.
      }
    }
  }

  /// Adds the elements of an array, or the members of a collection by keys.
  private mutating func addElements(
    _ scanner: inout JSONScanner, _ entity: Int, areMembers: Bool
  ) throws(JSONSyntaxError) {
    var list: [Element] = []
    let end = areMembers ? UInt8(ascii: "}") : UInt8(ascii: "]")
    scanner.advance()
    scanner.skipWhitespace()
    if scanner.peek == end {
      scanner.advance()
      return
    }
    repeat {
      let start = scanner.offset
      if areMembers {
        _ = try scanner.scanString()
        try scanner.expectColon()
      }
      try scanner.skipValue()
      let comma = OutermostElements.comma(scanner)
      list.append(Element(range: start..<scanner.offset, comma: comma, entity: entity, hasKey: areMembers))
    } while try scanner.continues(before: end)
    lists.append(list)
  }

  /// Adds the line at the scanner's position, which contains one object or none.
  private mutating func addLine(_ source: PayloadSource, _ scanner: JSONScanner, _ entity: Int) {
    var start = scanner.offset
    while start > 0, source.bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    if start == 0, source.isAtBeginning, source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    lists.append([Element(range: start..<scanner.offset + (scanner.end - scanner.position), entity: entity)])
  }

  /// Returns the offset of the comma after the value that ends at the scanner's position.
  private static func comma(_ scanner: JSONScanner) -> Int? {
    var reader = scanner
    reader.skipWhitespace()
    return !reader.isAtEnd && reader.peek == UInt8(ascii: ",") ? reader.offset : nil
  }

  // MARK: Finding

  /// Returns the innermost element that contains an offset and satisfies a predicate. Expected O(log n) for each list.
  func element(at offset: Int, where isWanted: (Element) -> Bool) -> Element? {
    var found: Element?
    for list in lists {
      var (low, high) = (0, list.count)
      while low < high {
        let middle = (low + high) / 2
        if list[middle].range.lowerBound <= offset { low = middle + 1 } else { high = middle }
      }
      guard low > 0, list[low - 1].range.contains(offset), isWanted(list[low - 1]) else { continue }
      if found.map({ $0.range.count > list[low - 1].range.count }) ?? true { found = list[low - 1] }
    }
    return found
  }

  /// Returns the elements of the line that contains an offset outside all elements. Each of them may read the value at that offset (M19).
  func elements(aroundWhichIs offset: Int) -> [Element] {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].range.lowerBound <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0, lines[low - 1].range.contains(offset) else { return [] }
    return lists[lines[low - 1].list]
  }

  /// Overwrites the given elements, and the commas that separate them from the remaining elements, with spaces. The result is the
  /// payload without these elements, in which every other byte keeps its offset.
  ///
  ///     [{"id": 1}, {"id": "x"}, {"id": 3}]
  ///     [{"id": 1},              {"id": 3}]
  ///
  /// - Parameter skipped: the offsets at which the elements begin.
  func blank(_ skipped: Set<Int>, in bytes: inout [UInt8]) {
    for list in lists {
      var last: Element?
      var isLast = true
      for element in list {
        if skipped.contains(element.range.lowerBound) {
          for index in element.range { bytes[index] = 0x20 }
          if let comma = element.comma { bytes[comma] = 0x20 }
          isLast = false
        } else {
          last = element
          isLast = true
        }
      }
      // The last remaining element must not be followed by a comma.
      if !isLast, let comma = last?.comma { bytes[comma] = 0x20 }
    }
  }
}
