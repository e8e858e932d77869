#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The changes that a commit writes, in one transaction.
///
/// Rows that the store does not have yet are numbered -1, -2, -3 ... in each table, in the order of ``TableChanges/inserted``.
/// References and links use these numbers; the store replaces them with the numbers that it assigns to the rows.
package struct StoreChanges: Sendable {
  /// The changes to tables, at most one element for each.
  package var tables: [TableChanges] = []
  /// The changes to links, at most one element for each table of links.
  package var links: [LinkChanges] = []
  /// The members of changed ordered lists. Used only by the store of a child, because its parent has no positions.
  var orders: [StoredList: [Int64]] = [:]
  /// The lists of links that were changed directly. Like ``orders``, used only by the store of a child.
  var edited: Set<StoredList> = []
  /// A token that distinguishes the commit from other commits; see ``StoreSnapshot/token``.
  package let token = UUID()
  /// The token of the commit that the changes are based on.
  package var baseToken: UUID?
  /// The data that the changes depend on, in addition to the rows and identities in them.
  package var watch = Watch()

  /// Creates an empty set of changes.
  package init() {}

  /// Whether there is nothing to write.
  package var isEmpty: Bool {
    tables.allSatisfy { $0.inserted.count + $0.updated.count + $0.deleted.count == 0 }
      && links.allSatisfy { $0.removed.isEmpty && $0.written.isEmpty }
  }

  /// Other data that must not have been written since the commit that the changes are based on.
  package struct Watch: Sendable {
    /// For each table, the rows whose links must not have changed, because their lists were edited. Rows that were written in any other way
    /// are sometimes treated as changed.
    package var rows: [Int: Set<Int64>] = [:]
    /// Tables in which no row may have been written, because the validity of a list depends on its number of members.
    package var tables: Set<Int> = []

    /// Watches nothing.
    package init() {}
  }

  /// The changes to a table.
  package struct TableChanges: Sendable {
    /// New rows, numbered downward from -1.
    package var inserted: StoredRows
    /// Changed rows with all their values, and the versions that the changes are based on.
    package var updated: StoredRows
    /// The changed columns of each updated row.
    package var changedColumns: [[Int]] = []
    /// The rows to delete, with the versions that the deletion is based on.
    package var deleted: [StoredRows.Header] = []

    /// Creates an empty set of changes.
    package init(table: Int, columnCount: Int) {
      inserted = StoredRows(table: table, columnCount: columnCount)
      updated = StoredRows(table: table, columnCount: columnCount)
    }
  }

  /// The changes to a table of links. Links of rows that are deleted disappear with them, and are not listed.
  package struct LinkChanges: Sendable {
    /// The table of links, as a position in ``StoreSchema/links``.
    package let table: Int
    /// Links to remove.
    package var removed: [StoredLink] = []
    /// Links to add. If a link already exists in the store, it gets the new positions.
    package var added: [StoredLink] = []
    /// Links of lists whose other members changed, with their new positions.
    package var repositioned: [StoredLink] = []

    /// All links to write.
    package var written: [StoredLink] { repositioned.isEmpty ? added : added + repositioned }

    /// Creates an empty set of changes.
    package init(table: Int) { self.table = table }
  }
}

/// The outcome of writing changes.
package enum StoreWriteResult: Sendable {
  /// The changes are durable.
  ///
  /// - Parameters:
  ///   - sequence: the number of the commit, which becomes the version of the rows that the commit wrote.
  ///   - firstIDs: for each table, the number of the first inserted row. The rows after it are numbered consecutively.
  case written(sequence: Int64, firstIDs: [Int: Int64])
  /// Nothing was written, because another context wrote data that the changes depend on.
  case moved
}

/// The numbers of the rows that commits wrote, without their values.
package struct StoreLog: Sendable {
  /// The last commit that is included.
  package var sequence: Int64
  /// For each table, the rows that were inserted or updated, and the rows that were deleted. A row whose links changed is treated as
  /// updated.
  package var written: [Int: [Int64]] = [:]
  package var deleted: [Int: [Int64]] = [:]
  /// Whether the store no longer knows all of these commits, so any row may have changed.
  package var isIncomplete = false

  /// Creates a log without changes.
  package init(sequence: Int64) { self.sequence = sequence }
}
