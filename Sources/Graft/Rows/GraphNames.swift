#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The readable names of objects: `Hero(1699)`, `Card(DAW,12)`, and `Price#3` without an identity.
final class GraphNames {
  private let state: Reference<GraphState>
  private let plan: Plan
  private let reader: RowReader
  /// The numbers of objects without an identity, by table and row; counted when first needed.
  private var numbers: [Int: [UInt32: Int]] = [:]

  init(_ state: Reference<GraphState>, _ plan: Plan) {
    self.state = state
    self.plan = plan
    reader = RowReader(state)
  }

  func name(_ table: Int, _ number: UInt32) -> String {
    let row = state.row(table, number)
    let entity = plan.entities[row.entity]
    if row.isDeleted, reader.identityJSON(row) == nil { return "\(entity.name) (deleted)" }
    return GraphNames.name(entity, reader.identityJSON(row)) { ordinal(table, number) }
  }

  /// The name of an object with these identity values. Without identity values, the name contains a number.
  static func name(_ entity: EntityPlan, _ identity: [JSON]?, number: () -> Int) -> String {
    identity.map { name(entity.name, $0, isHidden: entity.hidesIdentity) } ?? "\(entity.name)#\(number())"
  }

  /// The name of an object with these identity values, which are hidden if one of them is sensitive (M29).
  static func name(_ entity: String, _ identity: [JSON], isHidden: Bool) -> String {
    "\(entity)(\(isHidden ? HiddenValue.text : text(identity)))"
  }

  /// The values as JSON would write them, without the quotes. If there are several values, text that contains separators or
  /// parentheses keeps its quotes, so names are unique: `Card("1,x",y)` and `Card(1,"x,y")`.
  static func text(_ values: [JSON]) -> String {
    let values = flattened(values)
    return values.map { value in
      let text = JSONWriter.text(of: value)
      guard case .string(let bare) = value else { return text }
      let isAmbiguous = values.count > 1 && bare.utf8.contains { UInt8.marksOfNames.contains($0) }
      // The quotes are removed as bytes, not as characters, because a combining mark joins the quote before it.
      return isAmbiguous ? text : String(decoding: text.utf8.dropFirst().dropLast(), as: UTF8.self)
    }.joined(separator: ",")
  }

  /// Inserts the identity of an owner (M12) into the identity of its objects: `OrderLine(o-1,0)`.
  private static func flattened(_ values: [JSON]) -> [JSON] {
    values.flatMap { value in
      if case .array(let inner) = value { flattened(inner) } else { [value] }
    }
  }

  /// The number of an object among the objects of its entity without an identity, in order of insertion.
  private func ordinal(_ table: Int, _ number: UInt32) -> Int {
    if numbers[table] == nil {
      var counts: [Int: Int] = [:]
      var known: [UInt32: Int] = [:]
      for number in state.pointee.rowsAsInserted(table) {
        let row = state.row(table, number)
        guard row.isLoaded, reader.identity(row) == nil else { continue }
        counts[row.entity, default: 0] += 1
        known[number] = counts[row.entity]
      }
      numbers[table] = known
    }
    return numbers[table]?[number] ?? 0
  }

  /// The order of dumps and exports: numeric identities by number, other identities by bytes, and objects without an identity last, in
  /// insertion order.
  func sorted(_ rows: [(table: Int, row: UInt32)]) -> [(table: Int, row: UInt32)] {
    struct Key {
      var place: (table: Int, row: UInt32)
      var entity: String
      var identity: [AttributeValue]?
    }
    let keys = rows.map { place in
      let row = state.row(place.table, place.row)
      return Key(place: place, entity: plan.entities[row.entity].name, identity: reader.identity(row))
    }
    return keys.sorted { left, right in
      switch (left.identity, right.identity) {
      case (let leftValues?, let rightValues?):
        for (left, right) in zip(leftValues, rightValues) {
          if left.isLess(than: right) { return true }
          if right.isLess(than: left) { return false }
        }
        if leftValues.count != rightValues.count { return leftValues.count < rightValues.count }
        return left.entity != right.entity
          ? UTF8Key.precedes(left.entity, right.entity) : state.pointee.isEarlier(left.place, right.place)
      case (.some, nil): return true
      case (nil, .some): return false
      case (nil, nil): return state.pointee.isEarlier(left.place, right.place)
      }
    }.map(\.place)
  }
}

extension UInt8 {
  /// The characters that have a meaning in names: `,`, `(`, `)` and `"`.
  fileprivate static let marksOfNames: [UInt8] = [0x2C, 0x28, 0x29, 0x22]
}
