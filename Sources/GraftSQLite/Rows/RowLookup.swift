import Graft
import GraftSQL

/// Finds rows by keys, many at a time.
///
///     SELECT t."_id", … FROM (VALUES (?), (?), …) AS w CROSS JOIN "Hero" AS t ON t."identifier" = w.column1
///
/// Keys are bound, so text is found regardless of its contents. Keys are sorted, so the index is read from beginning to end, which saves
/// half the time if there are many keys.
struct RowLookup {
  /// The possible numbers of keys in a statement. The last statement is padded with NULL keys, which match no row.
  private static let sizes = [1, 8, 64, 512]

  let connection: SQLiteConnection
  /// The beginning of the statement, up to `FROM`.
  let selection: String
  let table: String
  /// The columns with the keys.
  let columns: [String]
  /// A further condition on the row.
  var condition: String?

  /// Looks up keys.
  ///
  /// - Parameters:
  ///   - count: the number of keys.
  ///   - bind: binds a key, beginning with the given parameter.
  ///   - read: reads the rows of a statement.
  func run(
    count: Int, bind: (SQLiteStatement, Int, Int32) throws(SQLiteError) -> Void,
    read: (SQLiteStatement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    // Each key has one parameter for each of its columns.
    let most = max(1, connection.maximumParameters / columns.count)
    var first = 0
    while first < count {
      let rest = count - first
      let size = min(RowLookup.sizes.first { $0 >= rest } ?? RowLookup.sizes.last ?? 1, most)
      try connection.using(sql(size)) { statement throws(SQLiteError) in
        for key in 0..<min(size, rest) {
          try bind(statement, first + key, Int32(key * columns.count + 1))
        }
        try read(statement)
      }
      first += size
    }
  }

  /// Divides elements into batches, with statements of a few sizes.
  ///
  /// - Parameter body: called with the elements of a batch, and the number of elements in its statement. The remaining parameters
  ///   are NULL.
  static func forEachBatch<Element>(
    of elements: [Element], parametersOfEach count: Int = 1, _ connection: SQLiteConnection,
    _ body: (ArraySlice<Element>, Int) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let most = max(1, connection.maximumParameters / count)
    var rest = elements[...]
    while !rest.isEmpty {
      let size = min(sizes.first { $0 >= rest.count } ?? sizes.last ?? 1, most)
      try body(rest.prefix(size), size)
      rest = rest.dropFirst(size)
    }
  }

  /// Returns the statement for a number of keys.
  func sql(_ size: Int) -> String {
    // A single key needs no list of values.
    if size == 1 {
      let conditions = columns.map { "t.\(SQLName.quoted($0)) = ?" } + [condition].compactMap(\.self)
      return "SELECT \(selection) FROM \(SQLName.quoted(table)) AS t WHERE \(conditions.joined(separator: " AND "))"
    }
    let key = "(\(Array(repeating: "?", count: columns.count).joined(separator: ",")))"
    let keys = Array(repeating: key, count: size).joined(separator: ",")
    let conditions = columns.enumerated().map { "t.\(SQLName.quoted($1)) = w.column\($0 + 1)" }
    let joined = (conditions + [condition].compactMap(\.self)).joined(separator: " AND ")
    return "SELECT \(selection) FROM (VALUES \(keys)) AS w CROSS JOIN \(SQLName.quoted(table)) AS t ON \(joined)"
  }

  /// Looks up integers, which are sorted first. Repeated integers are looked up only once.
  func run(
    integers: [Int64], read: (SQLiteStatement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    var keys = integers.sorted()
    keys.removeRepetitions()
    try run(
      count: keys.count,
      bind: { (statement, key, parameter) throws(SQLiteError) in try statement.bind(keys[key], at: parameter) },
      read: read)
  }
}
