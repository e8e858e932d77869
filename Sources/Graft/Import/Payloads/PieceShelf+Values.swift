extension PieceShelf {
  /// Returns the offset of the value of a property in the dictionary at an offset, or in its enclosing objects (M19); nil if
  /// there is no such value.
  func value(of slot: Int, _ entity: EntityPlan, _ plan: Plan, inObjectAt offset: Int) -> Int? {
    ownValue(of: slot, entity, plan, inObjectAt: offset) ?? surroundingPlaces.place(of: slot, ofObjectAt: offset)
  }

  /// Returns the offset of a property's value in the dictionary at an offset, or nil if the dictionary itself does not have it.
  func ownValue(of slot: Int, _ entity: EntityPlan, _ plan: Plan, inObjectAt offset: Int) -> Int? {
    guard let reader = scanner(at: offset) else { return nil }
    for field in entity.fields.ofSlot[slot] ?? [] {
      let path = entity.path(ofField: plan.fields[field])
      if path.isKeyWord { continue }
      switch JSONLocator.find(path.keys, in: reader) {
      case .value(let place), .null(let place): return place - reader.start
      case .absent, .blocked: continue
      }
    }
    return nil
  }

  /// Returns the offset of the array that the key path of a property leads through (M25), or nil if the dictionary does not have it.
  func array(of slot: Int, _ entity: EntityPlan, _ plan: Plan, inObjectAt offset: Int) -> Int? {
    guard let reader = scanner(at: offset) else { return nil }
    for field in entity.fields.ofSlot[slot] ?? [] {
      guard let keys = entity.path(ofField: plan.fields[field]).segments.first else { continue }
      if case .value(let place) = JSONLocator.find(keys, in: reader) { return place - reader.start }
    }
    return nil
  }

  /// Returns the locations of the given elements of the array at an offset, by their indexes. Expected time in proportion to the
  /// length of the array.
  func elements(_ indexes: Set<Int>, ofArrayAt offset: Int) -> [Int: (offset: Int, length: Int)] {
    var found: [Int: (offset: Int, length: Int)] = [:]
    guard var reader = scanner(at: offset), reader.peek == UInt8(ascii: "[") else { return found }
    do {
      try reader.descend()
      reader.advance()
      reader.skipWhitespace()
      guard reader.peek != UInt8(ascii: "]") else { return found }
      var index = 0
      repeat {
        let start = reader.offset
        try reader.skipValue()
        if indexes.contains(index) { found[index] = (start, reader.offset - start) }
        index += 1
      } while try found.count < indexes.count && reader.continues(before: UInt8(ascii: "]"))
    } catch {
      // The array has been read before, so scanning it cannot throw.
    }
    return found
  }

  /// Returns the number of elements of the array at an offset, nulls included; nil for another value.
  func elementCount(at offset: Int) -> Int? {
    guard var reader = scanner(at: offset), reader.peek == UInt8(ascii: "[") else { return nil }
    reader.advance()
    reader.skipWhitespace()
    if reader.peek == UInt8(ascii: "]") { return 0 }
    var count = 0
    do throws(JSONSyntaxError) {
      repeat {
        count += 1
        try reader.skipValue()
      } while try reader.continues(before: UInt8(ascii: "]"))
    } catch {
      return nil
    }
    return count
  }

  /// Returns the description of the value at an offset, and its number of bytes; nil if the bytes are no longer available.
  func found(at offset: Int) -> (phrase: String, length: Int)? {
    guard var reader = scanner(at: offset) else { return nil }
    return try? reader.found()
  }

  /// Returns whether the value at an offset exists and is not null.
  func hasValue(at offset: Int) -> Bool {
    scanner(at: offset).map { $0.peek != UInt8(ascii: "n") } ?? true
  }

  /// Returns the JSON text of the value at an offset, or nil if it is no longer available.
  func text(at offset: Int) -> String? { bytes(at: offset).map { String(decoding: $0, as: UTF8.self) } }

  /// Returns the value at an offset, or nil if it is no longer available.
  func json(at offset: Int) -> JSON? { bytes(at: offset).flatMap { try? JSONBuilder.json($0) } }

  private func bytes(at offset: Int) -> LentBytes? {
    guard var reader = scanner(at: offset) else { return nil }
    let start = reader.position
    guard (try? reader.skipValue()) != nil else { return nil }
    return LentBytes(start: start, count: reader.position - start)
  }
}
