import Foundation
import Testing

/// Only the file that declares a type changes the type's stored properties. Extensions in other files call methods, so a single file shows
/// how each stored property can change.
@Suite("Architecture: ownership") struct OwnershipTests {
  /// A stored property that the compiler lets other files change.
  struct Property {
    /// The file that declares the property.
    var owner: String
    /// Whether the type of the property is declared in the library, and so has its own methods and elements.
    var isPart: Bool
  }

  /// A line inside a type or an extension.
  struct Line {
    var number: Int
    var text: Substring
    var type: String
    var isExtension: Bool
    /// Whether the line is outside of the type's members.
    var isOutermost: Bool
  }

  static func lines(_ code: String) -> [Line] {
    var found: [Line] = []
    var open: [(type: String, isExtension: Bool, depth: Int)] = []
    var depth = 0
    for (index, text) in code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let last = open.last {
        found.append(
          Line(
            number: index + 1, text: text, type: last.type, isExtension: last.isExtension,
            isOutermost: depth == last.depth))
      }
      if text.utf8.last == UInt8(ascii: "{"),
        let match = text.firstMatch(
          of: /^\s*(?:[\w()@]+ )*?(struct|class|actor|enum|protocol|extension) (?:\w+\.)*(\w+)/)
      {
        open.append((String(match.2), match.1 == "extension", depth + 1))
      }
      depth += text.utf8.count { $0 == UInt8(ascii: "{") } - text.utf8.count { $0 == UInt8(ascii: "}") }
      while let last = open.last, depth < last.depth { open.removeLast() }
    }
    return found
  }

  /// The properties that other files could change, by type and name.
  static func properties(_ files: [ArchitectureTests.File]) -> [String: [String: Property]] {
    var found: [String: [String: Property]] = [:]
    let lines = files.flatMap { file in Self.lines(file.code).map { (file.path, $0) } }
    let types = Set(lines.filter { !$1.isExtension }.map(\.1.type))
    for (path, line) in lines where !line.isExtension && line.isOutermost {
      guard let match = line.text.firstMatch(of: /^\s*((?:[\w()@]+ )*)var (\w+)(?:: (\w+)| = (\w+)[(<])?/),
        match.1.firstMatch(of: /private|static|lazy/) == nil, !line.text.contains("{") || line.text.contains(" = ")
      else { continue }
      let type = match.3 ?? match.4
      found[line.type, default: [:]][String(match.2)] = Property(
        owner: path, isPart: type.map { types.contains(String($0)) } ?? false)
    }
    return found
  }

  /// The names of the parameters and local variables that a line declares.
  static func locals(_ line: Line) -> [String] {
    let lists =
      line.text.matches(of: /\b(?:let|var|for|inout) \(?(\w+(?:, \w+)*)/).map(\.1)
      + line.text.matches(of: /\{ \(?(\w+(?:, \w+)*)\)? (?:throws\(\w+\) )?in\b/).map(\.1)
    let isHeader = line.isOutermost || line.text.contains("func ")
    let parameters = isHeader ? line.text.matches(of: /(\w+):/).map(\.1) : []
    return (lists.flatMap { $0.split(separator: ", ") } + parameters).map(String.init)
  }

  /// The names in a line of code. A regular expression would take ten times as long.
  static func words(_ text: Substring) -> [Substring] {
    text.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_") }.filter { $0.first?.isNumber == false }
  }

  /// Methods that change a collection.
  static let mutators: Set = [
    "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeSubrange", "removeValue", "popLast",
    "formUnion", "formIntersection", "subtract", "merge", "updateValue", "sort", "reverse", "swapAt", "replaceSubrange",
    "reserveCapacity", "toggle",
  ]

  /// Whether code changes a variable, given the text before and after the variable's name. Method calls do not count as changes if the
  /// variable's type is declared in the library, nor do changes to the targets of its elements and pointers.
  static func isChange(_ before: Substring, _ after: Substring, isPart: Bool) -> Bool {
    if before.hasSuffix("&"), !isPart { return true }
    // The variable is one of several variables that are set together: (a, b) = (1, 2).
    if before.wholeMatch(of: #/(?:.*\W)?\((?:[\w.]+, )*/#) != nil,
      after.prefixMatch(of: #/(?:\.\w+)*(?:, [\w.]+)*\) = /#) != nil
    {
      return true
    }
    guard let path = after.prefixMatch(of: /(?:[?!]?(?:\.\w+|\[[^\]]*\]))*/)?.0 else { return false }
    let isElement = path.contains("[") || path.contains(".pointee")
    if after[path.endIndex...].prefixMatch(of: /[?!]? (?:[-+*\/%|^]|&[-+*]?|<<|>>)?=(?: |$)/) != nil {
      return !isPart || !isElement
    }
    let called = path.split(separator: ".").last.map(String.init) ?? ""
    return !isPart && mutators.contains(called) && after[path.endIndex...].prefixMatch(of: /\(| \{/) != nil
  }

  /// The changes that an extension makes to properties of its type that another file declares.
  static func violations(_ files: [ArchitectureTests.File]) -> [String] {
    let properties = properties(files)
    var found: [String] = []
    for file in files {
      // The local names of the current member, and the lines that have not been searched for local names. These lines are searched only if
      // needed, because most lines name no property.
      var known: Set<String> = []
      var unread: [Line] = []
      for line in lines(file.code) where line.isExtension {
        guard let own = properties[line.type] else { continue }
        if line.isOutermost, line.text.contains(/\b(?:func|var|init|subscript)\b/) { (known, unread) = ([], []) }
        unread.append(line)
        let words = words(line.text).filter { own[String($0)].map { $0.owner != file.path } ?? false }
        if words.isEmpty { continue }
        known.formUnion(unread.flatMap(locals))
        unread = []
        for word in words {
          guard let property = own[String(word)], !known.contains(String(word)) else { continue }
          var before = line.text[..<word.startIndex]
          if before.hasSuffix("self.") { before = before.dropLast(5) }
          if before.hasSuffix(".") || before.hasSuffix("$") { continue }
          if isChange(before, line.text[word.endIndex...], isPart: property.isPart) {
            found.append("\(file.path):\(line.number) changes '\(word)', which \(property.owner) declares")
          }
        }
      }
    }
    return found
  }

  @Test(
    "Ownership: no extension changes a stored property that another file declares",
    arguments: [("Graft", 100), ("GraftSQL", 5), ("GraftSQLite", 5), ("GraftCommand", 5)])
  func ownership(module: String, leastTypes: Int) throws {
    let folder = ArchitectureTests.sources.deletingLastPathComponent().appendingPathComponent(module)
    let files = try ArchitectureTests.files(in: folder)
    #expect(Self.properties(files).count > leastTypes)
    #expect(Self.violations(files) == [])
  }

  @Test("Ownership: the test detects forbidden changes")
  func ownershipItself() {
    func file(_ path: String, _ text: String) -> ArchitectureTests.File {
      ArchitectureTests.File(path: path, folder: "", code: SwiftCode.of(text))
    }
    let files = [
      file(
        "A.swift",
        """
        struct Part {
          var count = 0
        }
        struct A {
          var list: [Int] = []
          var number = 0
          var part = Part()
          private(set) var own = 0
          var computed: Int { number }
        }
        extension A {
          mutating func add() { number += 1 }
        }
        """),
      file(
        "A+B.swift",
        """
        extension A {
          mutating func change(_ other: inout A) {
            list.append(1)
            list[0] = 2
            self.number += 1
            (number, list) = (1, [])
            swap(&list, &other.list)
            part = Part()
            part.count = 1
            list.removeAll { $0 == number }
          }
          mutating func call() {
            part.add(&part, list.count, number == 1)
            part.elements[0] = 1
            let x = number
            var copy = self
            copy.number = 1
          }
          func shadow(number: Int) {
            var list = [number]
            list.append(1)
            for number in list { number += 1 }
          }
        }
        """),
    ]
    #expect(
      Self.violations(files).map { $0.prefix { $0 != "," } } == [
        "A+B.swift:3 changes 'list'", "A+B.swift:4 changes 'list'", "A+B.swift:5 changes 'number'",
        "A+B.swift:6 changes 'number'", "A+B.swift:6 changes 'list'", "A+B.swift:7 changes 'list'",
        "A+B.swift:8 changes 'part'", "A+B.swift:9 changes 'part'", "A+B.swift:10 changes 'list'",
      ])
  }
}
