import Testing

@testable import Graft

@Suite("Rows") struct RowTests {
  @Test("A row header stores the entity, the flags and the epoch separately")
  func header() {
    var header = RowHeader(entity: 7, RowHeader.placeholder | RowHeader.stored)
    header.entity = 65_534
    #expect(header.entity == 65_534 && header.isPlaceholder && header.isStored && header.isLoaded && !header.isInserted)
    #expect(!header.isFull(65_534) && header.with(RowHeader.placeholder, false).isFull(65_534))
    let touched = header.touched(in: .max, importMarks: 2)
    #expect(touched.epoch == .max && touched.isChanged && !touched.isDescribed && touched.importMarks == 2)
    #expect(touched.touched(in: 3) == header.touched(in: 3) && touched.touched(in: 3).epoch == 3)
    #expect(touched.untouched.epoch == 0 && touched.untouched.entity == 65_534 && touched.untouched.isPlaceholder)
    #expect(touched.contents == RowHeader(entity: 65_534, RowHeader.placeholder))
    #expect(header.with(RowHeader.fault, true).isNotValidated && !RowHeader(entity: 0).isNotValidated)
  }

  @Test("A row returns the attribute values and destinations of its properties")
  func properties() throws {
    let model = try ManagedObjectModel(
      text: """
        {"entities": {
          "Hero": {"identityAttributes": ["id"],
            "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"},
              "name": {"type": "string", "optional": true, "JSONKeyPath": "name"}},
            "relationships": {"rival": {"destination": "Hero", "JSONKeyPath": "rival"},
              "friends": {"destination": "Hero", "toMany": true, "ordered": true, "JSONKeyPath": "friends"}}}}}
        """)
    let context = ManagedObjectContext(model: model)
    try context.importJSON(#"[{"id": 1, "rival": 2, "friends": [3, 2]}, {"id": 2}]"#, ofEntity: "Hero")
    let entity = model.plan.entities[0]
    let slots = entity.slotNumbers.mapValues { model.plan.layouts[entity.index].slots + $0 }
    let (id, name) = (try #require(slots["id"]), try #require(slots["name"]))
    let (rival, friends) = (try #require(slots["rival"]), try #require(slots["friends"]))
    let rows = (0..<UInt32(context.state.pointee.tables[0].rowCount)).map { context.state.pointee.row(0, $0) }
    let row = try #require(rows.first { $0[id] == 1 })
    #expect(row.isSet(id) && row[id] == 1 && row.isSet(id.pointee) && row[id.pointee] == 1)
    #expect(!row.isSet(name) && row[name] == 0)
    let other = try #require(row.toOne(rival.pointee))
    #expect(context.state.pointee.row(0, other)[id] == 2 && row.links(rival.pointee) == [other])
    #expect(row.links(friends.pointee).map { context.state.pointee.row(0, $0)[id] } == [3, 2])
    #expect(row.links(friends.pointee).map { context.state.pointee.row(0, $0).isPlaceholder } == [true, false])
    let lonely = context.state.pointee.row(0, other)
    #expect(
      lonely.toOne(rival.pointee) == nil && lonely.links(rival.pointee) == [] && lonely.links(friends.pointee) == [])
    row.isListed = true
    #expect(row.isListed && row.header.isListed && row.entity == entity.index)
    row.isListed = false
    row.setPresence(of: id, false)
    #expect(!row.isSet(id) && row.isSet(rival))
    row.setPresence(of: id, true)
    #expect(row.isSet(id) && !row.isListed)
  }

  @Test("A handle of a row, graph or plan has the size of an address")
  func sizes() {
    #expect(MemoryLayout<Row>.size == MemoryLayout<UInt>.size)
    #expect(MemoryLayout<Reference<GraphState>>.size == MemoryLayout<UInt>.size)
    #expect(MemoryLayout<PlanReference<SlotPlan>?>.size == MemoryLayout<UInt>.size)
  }
}
