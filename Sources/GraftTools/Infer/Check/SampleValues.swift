import Graft

extension ModelInference.Sample {
  /// The value at a key path, in which `edges[]` is each element of an array; for JSON Lines, an array of the values of all documents. nil
  /// if it is absent, or a key occurs twice.
  func value(at keys: [String]) -> JSON? {
    guard isLines else { return (try? JSON(parsing: source.bytes))?.value(along: keys[...]) }
    let lines = source.bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let documents = lines.map { try? JSON(parsing: Array($0)) }
    if documents.contains(where: { $0 == nil }) { return nil }
    return .array(documents.flatMap { $0?.value(along: keys[...])?.elements ?? [] })
  }
}

extension JSON {
  fileprivate func value(along keys: ArraySlice<String>) -> JSON? {
    guard let key = keys.first else { return self }
    if let member = self[key] { return member.value(along: keys.dropFirst()) }
    guard key.hasSuffix(JSONKeyPath.brackets),
      let array = self[String(key.dropLast(JSONKeyPath.brackets.count))]?.arrayValue
    else { return nil }
    return .array(array.flatMap { $0.value(along: keys.dropFirst())?.elements ?? [] })
  }

  fileprivate var elements: [JSON] { arrayValue ?? [self] }

  /// The text of a value, as a mapper compares it (D4).
  var discriminator: String? {
    switch self {
    case .string(let text): text
    case .number, .boolean: description
    default: nil
    }
  }
}
