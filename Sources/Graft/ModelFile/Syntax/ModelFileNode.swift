/// A value of a model file, with its location.
package struct ModelFileNode: Sendable {
  package enum Kind: Sendable {
    case null
    case boolean(Bool)
    /// The number as written.
    case number(String)
    /// The string with its escapes decoded.
    case string(String)
    case array([ModelFileNode])
    /// The members in the order of the file, including members with duplicate keys.
    case object([ModelFileMember])
  }

  package var kind: Kind
  /// The bytes of the value, quotes and brackets included.
  package var range: SourceRange
}

/// A member of an object in a model file.
package struct ModelFileMember: Sendable {
  package var key: String
  /// The key with its quotes.
  package var keyRange: SourceRange
  package var value: ModelFileNode
}

/// A model file as written: its value, and the locations of its comments.
package struct ModelFileTree: Sendable {
  package var root: ModelFileNode
  /// The comments in the order of the file, with `//` or `/*` and `*/` but without the end of the line.
  package var comments: [SourceRange]
}

extension ModelFileNode {
  /// The members, if the value is an object.
  package var members: [ModelFileMember]? { if case .object(let members) = kind { members } else { nil } }

  /// The elements, if the value is an array.
  package var elements: [ModelFileNode]? { if case .array(let elements) = kind { elements } else { nil } }

  /// The text, if the value is a string.
  package var text: String? { if case .string(let text) = kind { text } else { nil } }

  /// Whether the value is `null`.
  package var isNull: Bool { if case .null = kind { true } else { false } }

  /// The value without its locations. If keys are duplicated, the first member is used; a check reports the others.
  package var json: JSON {
    switch kind {
    case .null: .null
    case .boolean(let value): .boolean(value)
    case .number(let text): .number(JSONNumber(uncheckedText: text))
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members):
      .object(JSONObject(uncheckedMembers: members.withoutRepeats.map { ($0.key, $0.value.json) }))
    }
  }
}

extension [ModelFileMember] {
  /// The members, with only the first of each duplicate key.
  package var withoutRepeats: [ModelFileMember] {
    let repeats = self.repeats
    guard !repeats.isEmpty else { return self }
    let skipped = Set(repeats.map(\.second))
    return indices.filter { !skipped.contains($0) }.map { self[$0] }
  }

  /// The indices of members with a duplicate key, and of the first member with that key. Expected O(count).
  package var repeats: [(first: Int, second: Int)] {
    var repeats: [(first: Int, second: Int)] = []
    if count <= 8 {
      // For few members, comparing is faster than hashing.
      for second in indices.dropFirst() {
        let key = UTF8Key(self[second].key)
        if let first = self[..<second].firstIndex(where: { UTF8Key($0.key) == key }) { repeats.append((first, second)) }
      }
      return repeats
    }
    var seen = [UTF8Key: Int](minimumCapacity: count)
    for (second, member) in enumerated() {
      let key = UTF8Key(member.key)
      if let first = seen[key] { repeats.append((first, second)) } else { seen[key] = second }
    }
    return repeats
  }
}
