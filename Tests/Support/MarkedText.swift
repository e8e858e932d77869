/// Text with markers such as 1️⃣ for locations. Tests use `1️⃣` instead of counting columns.
///
///     let marked = MarkedText(#"{"parent": 1️⃣"Teem"}"#)
///     marked.text                          // {"parent": "Teem"}
///     marked.marker(line: 1, column: 12)   // 1️⃣
package struct MarkedText {
  /// The text without its markers.
  package let text: String
  private var markers: [String: Character] = [:]

  package init(_ marked: String) {
    var text = ""
    var line = 1
    var column = 1
    for character in marked {
      let scalars = Array(character.unicodeScalars)
      if scalars.count == 3, scalars[2] == "\u{20E3}" {
        markers["\(line):\(column)"] = character
        continue
      }
      text.append(character)
      if character == "\n" || character == "\r\n" {
        (line, column) = (line + 1, 1)
      } else {
        column += scalars.count
      }
    }
    self.text = text
  }

  /// Returns the marker at a location, or nil if there is none.
  package func marker(line: Int, column: Int) -> Character? { markers["\(line):\(column)"] }

  /// Replaces the location at the beginning of a line, as in `m.json:1:12: error: ...`, with its marker.
  package func naming(_ line: String, file: String) -> String {
    guard line.hasPrefix(file + ":") else { return line }
    let rest = line.dropFirst(file.count + 1)
    let parts = rest.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let row = Int(parts[0]), let column = Int(parts[1]),
      let marker = marker(line: row, column: column)
    else { return String(rest) }
    return "\(marker)\(parts[2])"
  }
}
