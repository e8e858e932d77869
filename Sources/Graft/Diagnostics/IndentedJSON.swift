/// The lines of JSON formatted for people and programs: one member or element per line, indented by two spaces.
///
/// Unlike the ordinary JSON writer, it escapes everything that could control a terminal.
enum IndentedJSON {
  typealias Member = (key: String, value: [String])

  static func object(_ members: [Member]) -> [String] {
    enclose("{", members.map { ["\"\($0.key)\": \($0.value[0])"] + $0.value.dropFirst() }, "}")
  }

  static func array(_ elements: [[String]]) -> [String] { enclose("[", elements, "]") }

  static func number(_ number: Int?) -> [String] { [number.map(String.init) ?? "null"] }

  static func text(_ text: String?) -> [String] {
    guard let text else { return ["null"] }
    return ["\"\(text.unicodeScalars.reduce(into: "") { $0 += escaped($1) })\""]
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar.isASCII, JSONEscape.isNeeded(UInt8(scalar.value)) { return JSONEscape.text(UInt8(scalar.value)) }
    guard scalar.escapedForDisplay != nil else { return String(scalar) }
    return scalar.utf16.map(JSONEscape.text(unit:)).joined()
  }

  private static func enclose(_ open: String, _ items: [[String]], _ close: String) -> [String] {
    guard !items.isEmpty else { return [open + close] }
    var lines = [open]
    for (number, item) in items.enumerated() {
      lines += item.map { "  \($0)" }
      if number < items.count - 1 { lines[lines.count - 1] += "," }
    }
    return lines + [close]
  }
}
