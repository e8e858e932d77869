/// What the payload has where a required value is missing (I11).
///
///     "JSONKeyPath": "price.Amount"        {"id": 7, "price": {"amount": 3}}
///                                                             ^~~~~~~~ "Amount" is absent; did you mean "amount", which is present?
///
///     an error body for an order           {"error": "not found"}
///                                          ^ expected the keys "id" and "total" of 'Order', found "error"
struct MissingValues {
  let log: FaultLog
  let shelf: PieceShelf
  let options: ImportOptions

  /// The most keys that are looked at, and the most that are listed.
  private static let comparedKeys = 1000
  private static let listedKeys = 8

  // MARK: One value

  /// Places the fault at the innermost object that the key path reaches, and says what is there in place of its next key.
  func explain(
    _ path: JSONKeyPath, _ entity: EntityPlan, inObjectAt offset: Int, _ fault: inout ImportFault
  ) {
    fault.offset = offset
    fault.missing = path.keys
    guard var reader = shelf.scanner(at: offset) else { return }
    while fault.missing.count > 1, case .value(let place) = JSONLocator.find([fault.missing[0]], in: reader),
      place.pointee == UInt8(ascii: "{")
    {
      reader.position = place
      fault.missing.removeFirst()
    }
    fault.offset = reader.offset
    let outer = path.keys.dropLast(fault.missing.count)
    let mapped = entity.keys(below: outer)
    let unmapped = members(ofObjectAt: fault.offset).filter { !mapped.contains($0.key) && $0.isPlain }
    let keys = unmapped.map(\.key)
    let dotted = fault.missing.joined(separator: ".")
    if fault.missing.count > 1, keys.contains(dotted) {
      let keyPath = JSONWriter.text(of: .array((outer + [dotted]).map { .string($0) }))
      fault.remarks.append(
        "the payload has a key \(FoundPhrase.quoted(dotted.utf8)): with a dot in it, it is written \(keyPath)")
      return
    }
    if let near = MissingValues.near(fault.missing[0], keys) {
      let (absent, present) = (FoundPhrase.quoted(fault.missing[0].utf8), FoundPhrase.quoted(near.utf8))
      let expected = fault.found.map { fault.message[..<$0.startIndex].dropLast(ImportFault.findings.count) }
      fault.message =
        "\(expected ?? fault.message[...]): \(absent) is absent; did you mean \(present), which is present?"
      fault.suggestion = near
      fault.namesSuggestion = true
      // The members of dictionaries come from another text; nothing is underlined there.
      if !shelf.isWritten { fault.shown = unmapped.first { $0.key == near }.map { ($0.offset, $0.length) } }
      return
    }
    if !keys.isEmpty, !log.hasMessage(fault.message) {
      fault.remarks.append("keys there that the model does not map: \(MissingValues.list(keys))")
    }
  }

  /// The key that is the same but for case and what stands between words, or else the nearest.
  private static func near(_ key: String, _ keys: [String]) -> String? {
    func letters(_ text: String) -> String {
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
      )
      .lowercased()
    }
    let wanted = letters(key)
    // Members of dictionaries have no order: which of several is named does not depend on it.
    let keys = keys.sorted(by: UTF8Key.precedes)
    return keys.first { !wanted.isEmpty && $0.utf8.count <= 200 && letters($0) == wanted }
      ?? Suggestion.nearest(to: key, among: keys)
  }

  // MARK: A whole object

  /// One fault in place of those of several values that are missing in an object without any key of its entity: an error body,
  /// an object of another entity, or one around the objects.
  ///
  /// - Parameter faults: the values that are missing in the object, and nothing else that is wrong with it.
  /// - Returns: nil if the object has a key of the entity, or one that is near to a missing one.
  func foreignObject(_ faults: [ImportFault], _ entity: EntityPlan, at offset: Int) -> ImportFault? {
    guard faults.count > 1,
      faults.allSatisfy({
        $0.code == "missing-value" && $0.offset == offset && !$0.missing.isEmpty && $0.suggestion == nil
      })
    else { return nil }
    let members = members(ofObjectAt: offset)
    let mapped = entity.keys(below: [])
    guard members.allSatisfy({ !mapped.contains($0.key) }) else { return nil }
    let expected = faults.map { $0.missing.joined(separator: ".") }
    let keys = members.map(\.key).sorted(by: UTF8Key.precedes)
    let found = keys.isEmpty ? "an empty object" : MissingValues.list(keys)
    return ImportFault(
      offset: offset, code: "missing-value",
      message: "expected the keys \(MissingValues.list(expected)) of '\(entity.name)', found \(found)",
      asks: (entity.description.source, nil, "'\(entity.name)' is declared here"),
      remarks: envelopeRemark(members, at: offset).map { [$0] } ?? [])
  }

  /// Says how the objects are read if the payload is an object around them; nil if it cannot be that.
  func envelopeRemark(inObjectAt offset: Int, _ entity: EntityPlan) -> String? {
    guard isWholePayload(offset) else { return nil }
    let members = members(ofObjectAt: offset)
    let mapped = entity.keys(below: [])
    return members.allSatisfy { !mapped.contains($0.key) } ? envelopeRemark(members, at: offset) : nil
  }

  private func envelopeRemark(_ members: [JSONLocator.Member], at offset: Int) -> String? {
    let containers = members.filter { $0.isContainer && $0.isPlain }
    guard let container = containers.first, isWholePayload(offset) else { return nil }
    return containers.count == 1
      ? "if the objects are under \(FoundPhrase.quoted(container.key.utf8)), read them with \(options.words.atKeyPath([container.key]))"
      : "if the objects are deeper in the payload, name their key path with \(options.words.at)"
  }

  /// Only an object that is the whole payload is one around the objects.
  private func isWholePayload(_ offset: Int) -> Bool { shelf.isWholePayload(offset) }

  // MARK: Members

  /// The members of an object of the payload; for dictionaries also those that are not mapped.
  private func members(ofObjectAt offset: Int) -> [JSONLocator.Member] {
    shelf.members(ofObjectAt: offset, most: MissingValues.comparedKeys)
  }

  /// `"a", "b" and 3 more`
  private static func list(_ keys: [String]) -> String {
    let listed = keys.prefix(listedKeys).map { FoundPhrase.quoted($0.utf8) }.joined(separator: ", ")
    return keys.count > listedKeys ? "\(listed) and \(keys.count - listedKeys) more" : listed
  }
}

extension JSONLocator.Member {
  /// Whether the key can be shown as it is.
  fileprivate var isPlain: Bool { key == key.escapedForDisplay() }
}

extension EntityPlan {
  /// The keys that the key paths of properties and mappers have behind some others.
  fileprivate func keys(below outer: ArraySlice<String>) -> Set<String> {
    let paths = properties.flatMap { [$0.keyPath].compactMap(\.self) + $0.keyPathAliases } + discriminators
    return Set(paths.compactMap { $0.keys.starts(with: outer) ? $0.keys.dropFirst(outer.count).first : nil })
  }
}
