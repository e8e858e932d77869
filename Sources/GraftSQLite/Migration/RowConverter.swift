import Foundation
import Graft

/// Makes rows of a new layout out of rows of an old one.
struct RowConverter {
  /// Where a new value comes from.
  private enum Source {
    case none
    /// The value of an old column.
    case column(Int, Widening)
    /// A reference, or the position beside it: nil if the reference leads to a row that is removed.
    case reference(Int, value: Int, table: Int)
    case value(AttributeValue)
  }

  private let old: SQLTable
  private let new: SQLTable
  private let positions: [Int?]
  private let removedRows: [Int: Set<Int64>]
  /// By old entity, then by new column.
  private let sources: [[Source]]

  init(
    _ mapping: LayoutMapping, _ old: SQLTable, _ new: SQLTable, _ removedRows: [Int: Set<Int64>],
    _ model: ManagedObjectModel
  ) {
    self.old = old
    self.new = new
    self.removedRows = removedRows
    let positions = mapping.entityPositions(from: old.number, to: new.number)
    self.positions = positions
    sources = old.layout.entities.indices.map { entity in
      guard let position = positions[entity] else { return [] }
      let name = new.layout.entities[position]
      return new.layout.columns.indices.map { RowConverter.source($0, name, mapping, old, new, model) }
    }
  }

  private static func source(
    _ column: Int, _ entity: String, _ mapping: LayoutMapping, _ old: SQLTable, _ new: SQLTable,
    _ model: ManagedObjectModel
  ) -> Source {
    let content = new.layout.columns[column]
    guard let title = LayoutMapping.property(of: content, for: entity, in: mapping.new) else { return .none }
    guard let former = mapping.properties[title] else { return defaultValue(title, entity, model) }
    let isPosition = if case .position = content.content { true } else { false }
    let candidates = old.layout.columns.indices.filter { old.layout.columns[$0].properties.contains(former) }
    let found = candidates.first { index in
      if case .position = old.layout.columns[index].content { isPosition } else { !isPosition }
    }
    guard let found else { return .none }
    switch (old.layout.columns[found].content, content.content) {
    case (.attribute(let from), .attribute(let to)):
      return Widening(from: from, to: to).map { .column(found, $0) } ?? .none
    case (.reference(let table), .reference): return .reference(found, value: found, table: table)
    case (.position(let reference), .position):
      guard case .reference(let table) = old.layout.columns[reference].content else { return .none }
      return .reference(reference, value: found, table: table)
    default: return .none
    }
  }

  private static func defaultValue(_ title: String, _ entity: String, _ model: ManagedObjectModel) -> Source {
    for owner in model.entities {
      for attribute in owner.attributes where "\(owner.name).\(attribute.name)" == title {
        return attribute.defaultValue.map { .value($0) } ?? .none
      }
    }
    return .none
  }

  /// Returns rows in the new layout, without those of removed entities.
  func converted(_ rows: StoredRows) -> StoredRows {
    var converted = new.emptyRows()
    for row in rows.headers.indices {
      var header = rows.headers[row]
      guard let position = positions[header.entity] else { continue }
      let sources = sources[header.entity]
      header.entity = position
      header.isBare = header.isBare && new.hasBare
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
    case .column(let from, let widening):
      guard !rows.values.isNil(row: row, column: from) else { return }
      widening.copy(
        rows.values, row: row, column: from, to: &values, row: target, column: column, isBytes: old.forms[from].isBytes)
    case .reference(let reference, let from, let table):
      guard let referred = rows.values.integer(row: row, column: reference),
        removedRows[table]?.contains(referred) != true
      else { return }
      values.copy(rows.values, row: row, column: from, toRow: target, column: column, isBytes: false)
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
