#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Converts rows of an old layout to rows of a new layout.
package struct RowConverter {
  /// The source of a new value.
  private enum Source {
    case none
    /// The value of an old column, or a default for rows that have no value.
    case column(Int, Widening, isBytes: Bool, ifAbsent: AttributeValue?)
    /// A reference, or the position that accompanies it; nil if the reference is to a row that is removed.
    case reference(Int, value: Int, table: Int)
    /// The position that accompanies a reference, in a list that had no order. It is the row's number, so members are in the order of
    /// insertion.
    case ownNumber(reference: Int, table: Int)
    case value(AttributeValue)
  }

  private let table: Int
  private let new: StoreLayout.Table
  private let positions: [Int?]
  private let removedRows: [Int: Set<Int64>]
  /// The sources, by old entity and then by new column.
  private let sources: [[Source]]

  /// Creates a converter for the rows of a table.
  ///
  /// - Parameters:
  ///   - old: the table in the old layout.
  ///   - table: the table in the new layout.
  ///   - removedRows: the rows of removed entities, by old table.
  package init(
    _ mapping: LayoutMapping, from old: Int, to table: Int, _ removedRows: [Int: Set<Int64>], _ model: ModelDescription
  ) {
    self.table = table
    self.removedRows = removedRows
    let new = mapping.new.tables[table]
    self.new = new
    let positions = mapping.entityPositions(from: old, to: table)
    self.positions = positions
    sources = mapping.old.tables[old].entities.indices.map { entity in
      guard let position = positions[entity] else { return [] }
      let name = new.entities[position]
      return new.columns.map { RowConverter.source($0, name, mapping, mapping.old.tables[old], model) }
    }
  }

  private static func source(
    _ column: StoreLayout.Column, _ entity: String, _ mapping: LayoutMapping, _ old: StoreLayout.Table,
    _ model: ModelDescription
  ) -> Source {
    guard let title = mapping.property(of: column, for: entity) else { return .none }
    guard let former = mapping.properties[title] else {
      return defaultValue(title, model).map { .value($0) } ?? .none
    }
    let isPosition = if case .position = column.content { true } else { false }
    let candidates = old.columns.indices.filter { old.columns[$0].properties.contains(former) }
    let found = candidates.first { index in
      if case .position = old.columns[index].content { isPosition } else { !isPosition }
    }
    guard let found else {
      for index in candidates where isPosition {
        if case .reference(let table) = old.columns[index].content { return .ownNumber(reference: index, table: table) }
      }
      return .none
    }
    switch (old.columns[found].content, column.content) {
    case (.attribute(let from), .attribute(let to)):
      guard let widening = Widening(from: from, to: to) else { return .none }
      return .column(
        found, widening, isBytes: old.columns[found].content.isBytes,
        ifAbsent: hasDefault(title, entity, mapping) ? defaultValue(title, model) : nil)
    case (.reference(let table), .reference): return .reference(found, value: found, table: table)
    case (.position(let reference), .position):
      guard case .reference(let table) = old.columns[reference].content else { return .none }
      return .reference(reference, value: found, table: table)
    default: return .none
    }
  }

  /// Whether objects of an entity that have no value get the default. Identity attributes have no default.
  private static func hasDefault(_ title: String, _ entity: String, _ mapping: LayoutMapping) -> Bool {
    guard mapping.requiredNow.contains(title) else { return false }
    return !mapping.newEntities.keys.contains { owner in
      title.hasPrefix("\(owner).") && mapping.isIdentity(String(title.dropFirst(owner.count + 1)), ofObjectsOf: entity)
    }
  }

  private static func defaultValue(_ title: String, _ model: ModelDescription) -> AttributeValue? {
    for owner in model.entities where title.hasPrefix("\(owner.name).") {
      for attribute in owner.attributes where "\(owner.name).\(attribute.name)" == title {
        return attribute.defaultValue
      }
    }
    return nil
  }

  /// Returns rows in the new layout, without the rows of removed entities.
  package func converted(_ rows: StoredRows) -> StoredRows {
    var converted = StoredRows(table: table, columnCount: new.columns.count)
    for row in rows.headers.indices {
      var header = rows.headers[row]
      guard let position = positions[header.entity] else { continue }
      let sources = sources[header.entity]
      header.entity = position
      header.isBare = header.isBare && new.hasBareDiscriminators
      converted.append(header)
      let target = converted.count - 1
      for column in sources.indices {
        copy(sources[column], rows, row, to: &converted.values, target, column, isPlaceholder: header.isPlaceholder)
      }
    }
    return converted
  }

  private func copy(
    _ source: Source, _ rows: StoredRows, _ row: Int, to values: inout StoredValues, _ target: Int, _ column: Int,
    isPlaceholder: Bool
  ) {
    switch source {
    case .none: break
    case .column(let from, let widening, let isBytes, let ifAbsent):
      if rows.values.isNil(row: row, column: from) {
        if let ifAbsent, !isPlaceholder { values.set(ifAbsent, row: target, column: column) }
      } else {
        widening.copy(rows.values, row: row, column: from, to: &values, row: target, column: column, isBytes: isBytes)
      }
    case .reference(let reference, let from, let table):
      guard let referred = rows.values.integer(row: row, column: reference),
        removedRows[table]?.contains(referred) != true
      else { return }
      values.copy(rows.values, row: row, column: from, toRow: target, column: column, isBytes: false)
    case .ownNumber(let reference, let table):
      guard let referred = rows.values.integer(row: row, column: reference),
        removedRows[table]?.contains(referred) != true
      else { return }
      values.setInteger(rows.headers[row].id, row: target, column: column)
    case .value(let value):
      // A placeholder has only its identity.
      if !isPlaceholder { values.set(value, row: target, column: column) }
    }
  }
}

extension StoredValues {
  /// Sets an attribute's value.
  mutating func set(_ value: AttributeValue, row: Int, column: Int) {
    func set(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { setText($0, row: row, column: column) } }
    switch value {
    case .integer(let value): setInteger(value, row: row, column: column)
    case .float(let value): setDouble(Double(value), row: row, column: column)
    case .double(let value): setDouble(value, row: row, column: column)
    case .boolean(let value): setInteger(value ? 1 : 0, row: row, column: column)
    case .date(let value): setInteger(value.microsecondsSince1970, row: row, column: column)
    case .decimal(let value): if let text = DecimalText.canonical(value) { set(text) }
    case .string(let value): set(Array(value.utf8))
    case .uri(let value): set(Array(value.absoluteString.utf8))
    case .json(let value): set(Array(value.description.utf8))
    case .list: set(Array(value.jsonValue.description.utf8))
    case .binary(let value): set(Array(value))
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { set(Array($0)) }
    }
  }
}

extension StoreLayout.Content {
  /// Whether values are bytes.
  package var isBytes: Bool {
    guard case .attribute(let name) = self, let type = AttributeType(rawValue: name) else { return false }
    return SlotPlan.Kind(type).isText
  }
}
