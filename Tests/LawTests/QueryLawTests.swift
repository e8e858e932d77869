import Foundation
import GraftTestSupport
import Testing

@testable import Graft

/// Random conditions on random graphs select the same objects in memory and in each store, with and without pending changes.
///
/// `GRAFT_QUERY_CASES` is the number of models, 60 by default; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of queries") struct QueryLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_QUERY_CASES", 60)

  @Test("S6: a query selects the same objects in memory and in each store", arguments: ContextSource.Kind.allCases)
  func queries(kind: ContextSource.Kind) throws { try ContextSource.Kind.withStorableTexts(kind) { try hold(kind) } }

  private func hold(_ kind: ContextSource.Kind) throws {
    var counts: [String: Int] = [:]
    for seed in ContextSource.Kind.part(of: Self.seeds, kind) {
      do {
        try run(seed, kind, &counts)
      } catch {
        Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)")
        return
      }
    }
    print("S6 law, \(kind): \(counts.sorted { $0.key < $1.key })")
  }

  private func run(_ seed: UInt64, _ kind: ContextSource.Kind, _ counts: inout [String: Int]) throws {
    var one = try LawCase(seed: seed, isRich: true)
    let model = one.loaded
    let source = try ContextSource(kind, model)
    one.goOn(with: try source.context())
    for _ in 0..<4 {
      let (entity, payload) = one.payload()
      _ = try one.importing(payload, entity)
    }
    for round in 0..<4 {
      // In the first rounds, no object of the graph is in memory.
      if round < 2 {
        one.context.rollBack()
        if round == 1 { try source.commitParents() }
        one.goOn(with: try source.context())
      } else {
        for _ in 0..<3 { try one.edit() }
      }
      for _ in 0..<12 { try compare(&one, &counts, source) }
    }
  }

  private func compare(_ one: inout LawCase, _ counts: inout [String: Int], _ source: ContextSource) throws {
    let context = one.context
    let whole = try source.context()
    let entity = one.random.pick(context.model.plan.entities)
    var conditions = RandomCondition(
      schema: context.queryMap.schema, samples: GraphRows(state: whole.state, map: whole.queryMap), context: whole)
    let table = context.model.plan.layouts[entity.index].table
    let condition = conditions.condition([table], depth: 3, &one.random)
    let keys: [SortKey<ManagedObject>] = conditions.keys(entity, &one.random)
    let limit = one.random.chance(percent: 40) ? one.random.below(6) : nil
    let offset = one.random.chance(percent: 20) ? one.random.below(4) : 0
    let query = ObjectQuery(context, entity, condition)
    let count = try query.count()
    let found = try query.rows(keys, limit, offset)
    let all = try query.rows(keys, nil, 0)
    let expected = Set(try query.rowsInMemory())
    counts["queries", default: 0] += 1
    counts["selected", default: 0] += found.count
    if context.hasChanges { counts["with changes", default: 0] += 1 }
    if !expected.isEmpty { counts["with results", default: 0] += 1 }
    guard Set(all) == expected, all.count == expected.count else {
      throw LawFailure("\(entity.name): \(condition)\nfound \(all.sorted()), expected \(expected.sorted())")
    }
    guard count == expected.count else { throw LawFailure("count \(count), not \(expected.count): \(condition)") }
    guard Array(context.page(all, limit, offset)) == found else {
      throw LawFailure("\(entity.name): page \(limit ?? -1), \(offset) of \(all) is \(found): \(condition) \(keys)")
    }
    // Sorting without the store must result in the same order.
    let sorted = try RowSorter(context, entity, keys).sorted(
      expected.sorted { context.state.pointee.isEarlier((table, $0), (table, $1)) })
    guard sorted == all else { throw LawFailure("\(entity.name): order \(all), not \(sorted): \(keys)") }
    try compareGroups(query, &one, conditions)
  }

  private func compareGroups(_ query: ObjectQuery, _ one: inout LawCase, _ conditions: RandomCondition) throws {
    let context = one.context
    guard let column = conditions.column(query.table, &one.random) else { return }
    let content = context.queryMap.schema.tables[query.table].columns[column].content
    let isNumber = [.integer16, .integer32, .double, .decimal].contains { content == .attribute($0) }
    let function: StoreAggregate.Function =
      isNumber
      ? one.random.pick([.sum, .average, .minimum, .maximum, .count]) : one.random.pick([.minimum, .maximum, .count])
    let key = one.random.chance(percent: 50) ? conditions.column(query.table, &one.random) : nil
    let aggregate = StoreAggregate(function, column: column, groupedBy: key)
    let places = try query.rowsInMemory().map { RowPlace(table: query.table, row: $0) }
    let result = Result { try query.groups(aggregate) }
    let inMemory = Result {
      try aggregate.groups(of: places, GraphRows(state: context.state, map: context.queryMap), table: query.table)
    }
    if case (.failure(let left), .failure(let right)) = (result, inMemory) {
      // Decimals are added exactly, or the sum is an error.
      guard "\(left)".contains("38 digits"), "\(right)".contains("38 digits") else { throw left }
      return
    }
    let (groups, expected) = (try result.get(), try inMemory.get())
    let isSame = zip(groups, expected).allSatisfy { left, right in
      left.key == right.key && left.count == right.count
        && (left.value == right.value
          || abs((left.value.number ?? 0) - (right.value.number ?? .infinity)) <= 1e-9 * abs(right.value.number ?? 0))
    }
    guard groups.count == expected.count, isSame else {
      throw LawFailure("\(aggregate): \(groups), expected \(expected)")
    }
  }
}

/// Random conditions on the rows of a schema, with constants that occur in them.
struct RandomCondition {
  let schema: StoreSchema
  let samples: GraphRows
  let context: ManagedObjectContext

  mutating func condition(_ tables: [Int], depth: Int, _ random: inout SeededRandom) -> StoreCondition {
    if depth > 0, random.chance(percent: 55) {
      switch random.below(6) {
      case 0: return .and((0..<2).map { _ in condition(tables, depth: depth - 1, &random) })
      case 1: return .or((0..<2).map { _ in condition(tables, depth: depth - 1, &random) })
      case 2: return .not(condition(tables, depth: depth - 1, &random))
      default:
        let (path, table) = path(tables, &random)
        guard let members = members(table, &random) else { break }
        let inner = condition(tables + [schema.table(of: members)], depth: depth - 1, &random)
        switch random.below(3) {
        case 0: return .some(path, of: members, inner)
        case 1: return .every(path, of: members, inner)
        default: return .less(.value(.integer(Int64(random.below(3)))), .count(path, members, where: inner))
        }
      }
    }
    return leaf(tables, depth, &random)
  }

  private mutating func leaf(_ tables: [Int], _ depth: Int, _ random: inout SeededRandom) -> StoreCondition {
    let (path, table) = path(tables, &random)
    if random.chance(percent: 10) {
      let all = schema.tables[table].entityNames.indices
      return .isKind(path, all.filter { _ in random.chance(percent: 50) })
    }
    if random.chance(percent: 10) { return .equal(.id(path), .value(.null)) }
    guard let column = column(table, &random) else { return .always }
    let content = schema.tables[table].columns[column].content
    var left = StoreTerm.column(path, column)
    let sample = sample(table, column, &random)
    if random.chance(percent: 20) { left = .coalesce(left, .value(sample)) }
    if depth > 0, random.chance(percent: 15) {
      left = .choice(condition(tables, depth: depth - 1, &random), left, .value(.null))
    }
    if [.integer16, .integer32, .integer64].contains(where: { content == .attribute($0) }), random.chance(percent: 30) {
      return .less(.arithmetic(.remainder, left, .value(.integer(7))), .value(.integer(Int64(random.below(7)))))
    }
    var right = StoreTerm.value(sample)
    if random.chance(percent: 20) { right = .column(path, column) }
    if random.chance(percent: 50) { swap(&left, &right) }
    let isText = content == .attribute(.string) || content == .attribute(.uri)
    if isText, random.chance(percent: 25) {
      let folding: TextFolding = random.pick([.ignoringCase, .ignoringAccents, [.ignoringCase, .ignoringAccents]])
      (left, right) = (.folded(left, folding), .folded(right, folding))
    }
    switch random.below(isText ? 6 : 4) {
    case 0: return .equal(left, right)
    case 1: return .less(left, right)
    case 2: return .lessOrEqual(left, right)
    case 3: return .isOne(left, of: [sample, self.sample(table, column, &random)])
    case 4: return .containsText(left, right)
    default: return .startsWith(left, .value(sample))
    }
  }

  private func path(_ tables: [Int], _ random: inout SeededRandom) -> (StorePath, Int) {
    let variable = random.below(tables.count)
    var path = StorePath(variable: variable)
    var table = tables[variable]
    while random.chance(percent: 35) {
      let references = schema.tables[table].columns.enumerated().compactMap { column, content in
        if case .reference(let target) = content.content { (column, target) } else { nil }
      }
      guard !references.isEmpty else { break }
      let (column, target) = random.pick(references)
      path.references.append(.init(table: table, column: column))
      table = target
    }
    return (path, table)
  }

  private func members(_ table: Int, _ random: inout SeededRandom) -> StoreMembers? {
    let all = context.queryMap.entities[table].flatMap { schema.places[$0].compactMap(\.members) }
    return all.isEmpty ? nil : random.pick(all)
  }

  func column(_ table: Int, _ random: inout SeededRandom) -> Int? {
    let columns = schema.tables[table].columns.indices.filter {
      if case .attribute(let type) = schema.tables[table].columns[$0].content { type != .json } else { false }
    }
    return columns.isEmpty ? nil : random.pick(columns)
  }

  /// A random value of the column, or nil.
  private func sample(_ table: Int, _ column: Int, _ random: inout SeededRandom) -> StoreValue {
    context.loadAll(context.model.plan.tables[table].root)
    let rows = (0..<UInt32(context.state.pointee.tables[table].rowCount)).filter {
      context.state.pointee.row(table, $0).isLoaded
    }
    if rows.isEmpty || random.chance(percent: 5) { return .null }
    return samples.reader(of: column, in: table)(RowPlace(table: table, row: random.pick(rows)))
  }

  func keys(_ entity: EntityPlan, _ random: inout SeededRandom) -> [SortKey<ManagedObject>] {
    let names = entity.properties.filter { $0.attribute.map { $0.storedType != .json && $0.type != .uri } ?? false }
      .map(
        \.name
      )
      .filter { !$0.contains(".") }
    guard !names.isEmpty, random.chance(percent: 60) else { return [] }
    let nils: SortKey<ManagedObject>.NilPlacement = random.chance(percent: 50) ? .first : .last
    let name = random.pick(names)
    return [random.chance(percent: 50) ? .ascending(name, nils: nils) : .descending(name, nils: nils)]
  }
}
