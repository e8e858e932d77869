extension PieceShelf {
  /// Returns where the value of a property is in the dictionary at an offset; nil if the dictionary does not have it.
  func value(of slot: Int, _ entity: EntityPlan, _ plan: Plan, inObjectAt offset: Int) -> Int? {
    guard let reader = scanner(at: offset) else { return nil }
    for field in entity.fieldsOfSlot[slot] ?? [] {
      let path = entity.path(ofField: plan.fields[field])
      if path.isKeyWord { continue }
      switch JSONLocator.find(path.keys, in: reader) {
      case .value(let place), .null(let place): return place - reader.start
      case .absent, .blocked: continue
      }
    }
    return nil
  }

  /// The bytes of the value at an offset; nil if they are gone.
  func text(at offset: Int) -> UnsafeBufferPointer<UInt8>? {
    guard var reader = scanner(at: offset) else { return nil }
    let start = reader.position
    guard (try? reader.skipValue()) != nil else { return nil }
    return UnsafeBufferPointer(start: start, count: reader.position - start)
  }
}
