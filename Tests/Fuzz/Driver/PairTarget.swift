import Graft

/// A model file and a payload, separated by a zero byte and the number of an entity.
enum PairTarget {
  static func seeds() throws -> [[UInt8]] {
    try Repository.pairs().flatMap { pair in (0..<2).map { pair.model + [0, UInt8($0)] + pair.payload } }
  }

  static func check(_ input: [UInt8]) throws {
    guard let end = input.firstIndex(of: 0), end + 2 <= input.count else { return }
    guard
      let model = try? ManagedObjectModel(
        text: String(decoding: input[..<end], as: UTF8.self), transformers: .standard, classes: [])
    else { return }
    let entities = model.entities.map(\.name)
    guard !entities.isEmpty else { return }
    let entity = entities[Int(input[end + 1]) % entities.count]
    let payload = Array(input[(end + 2)...])
    let context = ManagedObjectContext(model: model)
    let before = context.dumpBytes()
    do throws(ImportError) {
      try context.importJSON(payload, ofEntity: entity)
    } catch {
      try ImportLaws.expectSame(before, context.dumpBytes(), "a failed import changed the graph")
      try ImportLaws.check(error, model, length: payload.count)
      return try ImportLaws.checkInvariants(context)
    }
    try ImportLaws.checkInvariants(context)
    let after = context.dumpBytes()
    for name in entities { _ = try? context.exportAll(of: name, options: ExportOptions()) }
    try ImportLaws.expectSame(after, context.dumpBytes(), "an export changed the graph")
    guard ImportLaws.isIdempotent(model) else { return }
    do throws(ImportError) {
      try context.importJSON(payload, ofEntity: entity)
    } catch { throw BrokenLaw("the second import of a payload fails: \(error)") }
    try ImportLaws.expectSame(after, context.dumpBytes(), "the second import of a payload changed something")
  }
}
