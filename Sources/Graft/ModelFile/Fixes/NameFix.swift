/// Replaces a misspelled name in a model file.
enum NameFix {
  /// Returns the edit that replaces a name where it is written, or nil if the text there is not simply that name.
  ///
  ///     "destination": "Teem"                      a string
  ///     "identityAttributes": "set, nubmer"        a part of a string
  static func edit(_ name: String, to replacement: String, at place: SourcePlace) -> SourceEdit? {
    guard let text = place.text, place.range.offset + place.range.length <= text.bytes.count else { return nil }
    let written = text.bytes[place.range.offset..<place.range.offset + place.range.length]
    if written.elementsEqual(literal(name).utf8) {
      return SourceEdit(replacing: place.range, with: literal(replacement))
    }
    let isPlain = literal(replacement).utf8.count == replacement.utf8.count + 2
    guard written.elementsEqual(name.utf8), isPlain, !replacement.utf8.contains(where: { ", \t".utf8.contains($0) })
    else { return nil }
    return SourceEdit(replacing: place.range, with: replacement)
  }

  /// Returns the edit that replaces a key path with an array of keys, or nil if it is not written as a string.
  static func edit(_ path: String, toKeys keys: [String], at place: SourcePlace) -> SourceEdit? {
    guard let edit = edit(path, to: path, at: place), edit.text.hasPrefix("\"") else { return nil }
    return SourceEdit(replacing: place.range, with: "[" + keys.map(literal).joined(separator: ", ") + "]")
  }

  /// Returns text as a JSON string literal.
  static func literal(_ text: String) -> String { JSONWriter.text(of: .string(text)) }
}

extension Suggestion {
  /// Returns the candidate that a name chosen by the author misspells, or nil if there is any doubt.
  ///
  /// The candidate differs only in case, by one edit, or by two edits in a name of eight letters or more, and no other candidate is equally
  /// near. Names with different digits, such as `Level1` and `Level2`, mean different things.
  static func misspelled(_ name: String, among candidates: [String]) -> String? {
    guard let candidate = only(name, among: candidates) else { return nil }
    let (letters, others) = (Array(name.lowercased().unicodeScalars), Array(candidate.lowercased().unicodeScalars))
    if letters == others { return candidate }
    func digits(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] { scalars.filter { ("0"..."9").contains($0) } }
    let length = min(letters.count, others.count)
    guard length >= 4, digits(letters) == digits(others),
      distance(letters, others, atMost: length < 8 ? 1 : 2) != nil
    else { return nil }
    return candidate
  }

  /// Returns the nearest candidate, unless another candidate is equally near.
  static func only(_ name: String, among candidates: [String]) -> String? {
    guard let first = nearest(to: name, among: candidates) else { return nil }
    return nearest(to: name, among: candidates.reversed()) == first ? first : nil
  }
}

extension ModelFileField.Kind {
  /// Returns whether a value has a JSON type that the key takes, so that only the key is misspelled.
  func fits(_ node: ModelFileNode) -> Bool {
    switch (self, node.kind) {
    case (.text, .string), (.className, .string), (.transformerName, .string), (.transformerName, .array),
      (.word, .string), (.names, .string),
      (.names, .array), (.nameLists, .array), (.flag, .boolean), (.count, .number), (.bound, .number),
      (.keyPath, .string),
      (.keyPath, .array), (.keyPaths, .array), (.values, .array), (.value, _), (.objects, .object),
      (.object, .object), (.entityNames, .object), (.attributeNames, .object), (.userInfo, .object),
      (.entityNameOrNull, .string),
      (.entityNameOrNull, .null), (.scalar, .string), (.scalar, .number), (.scalar, .boolean):
      true
    case (.identifierKeyPath, .string), (.identifierKeyPath, .array), (.identifierKeyPath, .object),
      (.identifierKeyPath, .null), (.nulls, .array):
      true
    case (.keyPath(let isNullable), .null): isNullable
    default: false
    }
  }
}
