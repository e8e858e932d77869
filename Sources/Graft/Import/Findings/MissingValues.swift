/// The contents of the payload at the location of a missing required value (I11).
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

  /// The maximum number of keys that are examined.
  private static let comparedKeys = 1000

  // MARK: One value

  /// Locates the error at the innermost object that the key path reaches, and describes the object's contents instead of its
  /// next key.
  func explain(
    _ path: JSONKeyPath, _ entity: EntityPlan, inObjectAt offset: Int, _ fault: inout ImportFault
  ) {
    fault.offset = offset
    fault.missing = path.keys
    guard var reader = shelf.scanner(at: offset) else { return }
    while fault.missing.count > 1, case .value(let place) = JSONLocator.find([fault.missing[0]], in: reader),
      place.pointee == UInt8(ascii: "{")
    {
      reader.move(to: place)
      fault.missing.removeFirst()
    }
    fault.offset = reader.offset
    let outer = path.keys.dropLast(fault.missing.count)
    let mapped = entity.keys(below: outer)
    let unmapped = members(ofObjectAt: fault.offset).filter { !mapped.contains($0.key) && $0.isPlain }
    let keys = unmapped.map(\.key)
    let dotted = fault.missing.joined(separator: ".")
    if fault.missing.count > 1, keys.contains(dotted) {
      fault.finding.remarks.append(ImportFinding.dottedKeyRemark(dotted, outer + [dotted]))
      return
    }
    if let near = ImportFinding.nearestKey(to: fault.missing[0], among: keys) {
      fault.finding = fault.finding.missing(fault.missing[0], near: near)
      // The members of Swift dictionaries come from a separate text, in which nothing can be underlined.
      if !shelf.isWritten { fault.shown = unmapped.first { $0.key == near }.map { ($0.offset, $0.length) } }
      return
    }
    guard !log.hasMessage(fault.finding.message) else { return }
    if !keys.isEmpty {
      fault.finding.remarks.append(ImportFinding.unmappedKeysRemark(keys))
    } else if outer.isEmpty, isReference(entity, at: fault.offset) {
      fault.finding.remarks.append(ImportFinding.referenceRemark)
    }
  }

  /// Returns whether a nested object has only the keys of its identity.
  private func isReference(_ entity: EntityPlan, at offset: Int) -> Bool {
    let paths = entity.identitySlots.flatMap { slot in
      [entity.properties[slot].keyPath].compactMap(\.self) + entity.properties[slot].keyPathAliases
    }
    let identity = Set((paths + entity.discriminators).compactMap(\.keys.first))
    let members = members(ofObjectAt: offset)
    return shelf.isInsideOfObject(offset) && !members.isEmpty && members.allSatisfy { identity.contains($0.key) }
  }

  // MARK: A whole object

  /// Returns one fault in place of the faults of several values that are missing from an object without any key of its entity: an
  /// error body, an object of another entity, or an enclosing object.
  ///
  /// - Parameter faults: the faults for values that are missing from the object, and no other faults.
  /// - Returns: nil if the object has a key of the entity, or a key similar to a missing key.
  func foreignObject(_ faults: [ImportFault], _ entity: EntityPlan, at offset: Int) -> ImportFault? {
    guard faults.count > 1,
      faults.allSatisfy({
        $0.finding.code == .missingValue && $0.offset == offset && !$0.missing.isEmpty && $0.finding.suggestion == nil
      })
    else { return nil }
    let members = members(ofObjectAt: offset)
    let mapped = entity.keys(below: [])
    guard members.allSatisfy({ !mapped.contains($0.key) }) else { return nil }
    let expected = faults.map { $0.missing.joined(separator: ".") }
    let keys = members.map(\.key).sorted(by: UTF8Key.precedes)
    var finding = ImportFinding.foreignObject(entity, missing: expected, found: keys)
    if let remark = envelopeRemark(entity, at: offset) { finding.remarks.append(remark) }
    return ImportFault(finding, at: offset)
  }

  /// Returns how to read the objects if the payload is an object that encloses them; nil if the payload cannot be such an object.
  func envelopeRemark(inObjectAt offset: Int, _ entity: EntityPlan) -> String? {
    guard isWholePayload(offset) else { return nil }
    let members = members(ofObjectAt: offset)
    let mapped = entity.keys(below: [])
    return members.allSatisfy { !mapped.contains($0.key) } ? envelopeRemark(entity, at: offset) : nil
  }

  private func envelopeRemark(_ entity: EntityPlan, at offset: Int) -> String? {
    guard isWholePayload(offset) else { return nil }
    return shelf.inspect(valueAt: offset) { EnvelopeSearch.result(for: entity, log.plan, in: $0) }
      .flatMap { ImportFinding.envelopeRemark($0, entity, options.words) }
  }

  /// Only an object that is the whole payload can enclose the objects.
  private func isWholePayload(_ offset: Int) -> Bool { shelf.isWholePayload(offset) }

  // MARK: Members

  /// Returns the members of an object of the payload; for dictionaries, including members that are not mapped.
  private func members(ofObjectAt offset: Int) -> [JSONLocator.Member] {
    shelf.members(ofObjectAt: offset, most: MissingValues.comparedKeys)
  }
}

extension JSONLocator.Member {
  /// Whether the key can be shown unchanged.
  fileprivate var isPlain: Bool { key == key.escapedForDisplay() }
}

extension EntityPlan {
  /// Returns the keys that follow the given keys in the key paths of properties and mappers.
  fileprivate func keys(below outer: ArraySlice<String>) -> Set<String> {
    let paths = properties.flatMap { [$0.keyPath].compactMap(\.self) + $0.keyPathAliases } + discriminators
    return Set(paths.compactMap { $0.keys.starts(with: outer) ? $0.keys.dropFirst(outer.count).first : nil })
  }
}
