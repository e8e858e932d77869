#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ManagedObjectContext {
  /// Returns the whole graph as one JSON document. The output is deterministic, for debugging and tests.
  ///
  ///     {
  ///       "Hero": [
  ///         {"id": "Hero(1699)", "placeholder": false,
  ///          "attributes": {"identifier": 1699, "name": "Batman", "realName": null},
  ///          "relationships": {"powers": ["Power(4)", "Power(9)"], "publisher": "Publisher(10)"}}
  ///       ]
  ///     }
  ///
  /// The keys are the names of the entities that have objects. Objects are sorted by identity, and attributes are in stored form.
  /// Sensitive values are `<hidden>` ([M29](doc:Rules#M29)). Expected O(n log n) in the number of objects.
  public func dump() -> Data { Data(dumpBytes()) }

  package func dumpBytes() -> [UInt8] {
    loadEverything()
    let names = GraphNames(state, model.plan)
    var byEntity: [Int: [(table: Int, row: UInt32)]] = [:]
    for table in 0..<state.tableCount {
      for row in 0..<UInt32(state.tables[table].rowCount) {
        let header = state.row(table, row).header
        if !header.isDeleted { byEntity[header.entity, default: []].append((table, row)) }
      }
    }
    var bytes = Array("{".utf8)
    var isFirst = true
    for entity in byEntity.keys.sorted(by: {
      UTF8Key.precedes(model.plan.entities[$0].name, model.plan.entities[$1].name)
    }) {
      bytes.append(contentsOf: (isFirst ? "\n  " : ",\n  ").utf8)
      isFirst = false
      JSONWriter.append(model.plan.entities[entity].name, to: &bytes)
      bytes.append(contentsOf: ": [".utf8)
      var isFirstObject = true
      for place in names.sorted(byEntity[entity] ?? []) {
        bytes.append(contentsOf: (isFirstObject ? "\n    " : ",\n    ").utf8)
        isFirstObject = false
        append(place, names, to: &bytes)
      }
      bytes.append(contentsOf: "\n  ]".utf8)
    }
    bytes.append(contentsOf: (isFirst ? "}\n" : "\n}\n").utf8)
    return bytes
  }

  private func append(_ place: (table: Int, row: UInt32), _ names: GraphNames, to bytes: inout [UInt8]) {
    let row = state.row(place.table, place.row)
    let entity = model.plan.entities[row.entity]
    let layout = state.layouts[entity.index]
    let reader = RowReader(state)
    func key(_ name: String, _ isFirst: inout Bool) {
      if !isFirst { bytes.append(contentsOf: ", ".utf8) }
      isFirst = false
      JSONWriter.append(name, to: &bytes)
      bytes.append(contentsOf: ": ".utf8)
    }
    bytes.append(contentsOf: "{\"id\": ".utf8)
    JSONWriter.append(names.name(place.table, place.row), to: &bytes)
    bytes.append(
      contentsOf: ", \"placeholder\": \(row.isPlaceholder),\n     \"attributes\": {".utf8)
    var isFirst = true
    for (number, property) in entity.properties.enumerated() where property.attribute != nil {
      key(property.name, &isFirst)
      if property.isSensitive, row.isSet(layout.slots[number]) {
        JSONWriter.append(HiddenValue.text, to: &bytes)
      } else {
        StoredValue.append(row, layout.slots[number], state, to: &bytes)
      }
    }
    bytes.append(contentsOf: "},\n     \"relationships\": {".utf8)
    isFirst = true
    for (number, property) in entity.properties.enumerated() where property.relationship != nil {
      key(property.name, &isFirst)
      let slot = layout.slots[number]
      if slot.kind == .toOne {
        if let target = reader.target(row, slot) {
          JSONWriter.append(names.name(slot.destinationTable, target), to: &bytes)
        } else {
          bytes.append(contentsOf: "null".utf8)
        }
        continue
      }
      var targets = reader.targets(row, slot).map { (table: slot.destinationTable, row: $0) }
      if !slot.isOrdered { targets = names.sorted(targets) }
      bytes.append(UInt8(ascii: "["))
      for (index, target) in targets.enumerated() {
        if index > 0 { bytes.append(contentsOf: ", ".utf8) }
        JSONWriter.append(names.name(target.table, target.row), to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(contentsOf: "}}".utf8)
  }
}

/// Writes attributes in their stored form (M5): dates as RFC 3339, binary data as base64.
enum StoredValue {
  static func append(_ row: Row, _ slot: SlotPlan, _ state: Reference<GraphState>, to bytes: inout [UInt8]) {
    guard row.isSet(slot) else {
      bytes.append(contentsOf: "null".utf8)
      return
    }
    let cell = row[slot]
    if slot.kind.isText {
      StoredForm.append(text: state.pointee.texts.bytes(cell), slot.kind, to: &bytes)
    } else {
      StoredForm.append(word: cell, slot.kind, to: &bytes)
    }
  }
}
