import Graft

extension Diagnostic {
  /// The finding as programs read it.
  ///
  /// - Parameter file: the file it belongs to, for a finding that has no place in it.
  func json(file: String) -> JSON {
    [
      "file": .string(location?.file ?? file),
      "line": .integer(location?.line),
      "column": .integer(location?.column),
      "severity": .string(severity.rawValue),
      "code": .string(code),
      "message": .string(message),
      "suggestion": suggestion.map(JSON.string) ?? .null,
      "notes": .array(notes.map(\.json)),
    ]
  }
}

extension Diagnostic.Note {
  fileprivate var json: JSON {
    [
      "file": location.map { .string($0.file) } ?? .null,
      "line": .integer(location?.line),
      "column": .integer(location?.column),
      "message": .string(message),
    ]
  }
}

extension JSON {
  fileprivate static func integer(_ value: Int?) -> JSON { value.map { .number(JSONNumber($0)) } ?? .null }
}
