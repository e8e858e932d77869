/// What stands in the payload where a required value is missing (I11).
///
///     "JSONKeyPath": "price.Amount"        {"id": 7, "price": {"amount": 3}}
///                                                             ^ as far as the path leads; did you mean 'amount'?
extension PayloadImporter {
  /// The most keys that are looked at, and the most that are listed.
  private static let comparedKeys = 1000
  private static let listedKeys = 8

  /// Places the fault at the innermost object that the key path reaches, and says what is there in place of its next key.
  ///
  /// - Returns: whether it could say which key was meant.
  func explainMissing(_ path: JSONKeyPath, _ entity: EntityPlan, inObjectAt offset: Int, _ fault: inout ImportFault)
    -> Bool
  {
    fault.offset = offset
    fault.missing = path.keys
    guard var reader = shelf.scanner(at: offset) else { return false }
    while fault.missing.count > 1, case .value(let place) = JSONLocator.find([fault.missing[0]], in: reader),
      place.pointee == UInt8(ascii: "{")
    {
      reader.position = place
      fault.missing.removeFirst()
    }
    fault.offset = reader.offset
    let outer = path.keys.dropLast(fault.missing.count)
    let mapped = entity.keys(below: outer)
    let keys = JSONLocator.keys(in: reader, most: PayloadImporter.comparedKeys).filter {
      !mapped.contains($0) && $0 == $0.escapedForDisplay()
    }
    let dotted = fault.missing.joined(separator: ".")
    if fault.missing.count > 1, keys.contains(dotted) {
      let keyPath = JSONWriter.text(of: .array((outer + [dotted]).map { .string($0) }))
      fault.remarks.append(
        "the payload has a key \(FoundPhrase.quoted(dotted.utf8)): with a dot in it, it is written \(keyPath)")
      return true
    }
    if let near = PayloadImporter.near(fault.missing[0], keys) {
      fault.suggestion = near
      return true
    }
    if !keys.isEmpty, !faults.contains(where: { $0.message == fault.message }) {
      let listed = keys.prefix(PayloadImporter.listedKeys).map { FoundPhrase.quoted($0.utf8) }
      let more = keys.count - listed.count
      fault.remarks.append(
        "keys there that the model does not map: \(listed.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "")"
      )
    }
    return false
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
    return keys.first { !wanted.isEmpty && $0.utf8.count <= 200 && letters($0) == wanted }
      ?? Suggestion.nearest(to: key, among: keys)
  }
}

extension EntityPlan {
  /// The keys that the key paths of properties and mappers have behind some others.
  fileprivate func keys(below outer: ArraySlice<String>) -> Set<String> {
    let paths = properties.flatMap { [$0.keyPath].compactMap(\.self) + $0.keyPathAliases } + discriminators
    return Set(paths.compactMap { $0.keys.starts(with: outer) ? $0.keys.dropFirst(outer.count).first : nil })
  }
}
