import Foundation
import GraftPostgreSQL

/// Rows and errors that a PostgreSQL server sends.
///
///     0 to 3: count of columns less 1 | type of each column | length and bytes of each value
///     4: an error | its fields, each with its letter, and a zero byte between them
///
/// A length from 0 to 127 means the length of the column's type, 255 means NULL, and any other length is 128 less. If libpq is not
/// installed, nothing is checked.
enum WireTarget {
  /// The column types, with the lengths of their values.
  private static let types: [(oid: UInt32, length: Int)] = [
    (16, 1), (17, 4), (20, 8), (21, 2), (23, 4), (25, 4), (114, 2), (700, 4), (701, 8), (1184, 8), (1700, 12),
    (2950, 16),
    (5069, 8), (28, 4), (26, 4), (1043, 3), (1042, 3), (19, 3), (705, 1), (1016, 20),
  ]

  static let seeds: [[UInt8]] =
    types.indices.map { [0, UInt8($0), 0] + Array(repeating: 1, count: types[$0].length) }
    + [
      [0, 10, 128 + 14, 0, 3, 0, 1, 0, 0, 0, 3, 0, 1, 0x09, 0x29, 0x1A, 0x7C],
      [0, 10, 128 + 8, 0, 0, 0, 0, 0xC0, 0, 0, 0],
      [0, 9, 0, 0x7F, 255, 255, 255, 255, 255, 255, 255], [3, 2, 5, 16, 11, 255, 255, 255, 255],
    ]
    + ["SERROR\0C23505\0Mduplicate key\0DKey (a)=(1) exists.\0nitem_a_key", "SFATAL\0C57P01\0Mshutdown\0Hwait"]
    .map { [4] + Array($0.utf8) }

  nonisolated(unsafe) private static var server: WireServer?

  static func check(_ input: [UInt8]) throws {
    guard input.count > 2 else { return }
    if server?.connection.isUsable != true { server = try WireServer.connected() }
    guard let server else { return }
    if input[0] & 4 != 0 { return try checkError(input.dropFirst(), server) }
    var rest = input[...]
    let count = 1 + Int(rest.removeFirst() & 3)
    let columns = (0..<count).map { _ in types[Int(rest.popFirst() ?? 0) % types.count] }
    var rows: [[[UInt8]?]] = []
    while !rest.isEmpty, rows.count < 16 { rows.append(columns.map { value(&rest, $0.length) }) }
    let oids = columns.map(\.oid)
    server.exchange(
      WireMessage.begin + WireMessage.columns(oids) + rows.flatMap(WireMessage.row) + WireMessage.end)
    var decimals: [Decimal] = []
    var dates: [Int64] = []
    var texts: [String] = []
    try server.connection.query("SELECT", isPrepared: false) { result throws(PostgreSQLError) in
      var row = 0
      while try result.next() {
        for column in oids.indices {
          let values = WireValues(result, column)
          if let law = values.brokenLaw(type: oids[column], bytes: rows[row][column]) {
            throw PostgreSQLError(.other, law)
          }
          decimals += values.decimal.map { [$0] } ?? []
          dates += values.microseconds.map { [$0] } ?? []
          texts += values.text.map { [$0] } ?? []
        }
        row += 1
      }
      if row != rows.count { throw PostgreSQLError(.other, "\(row) of \(rows.count) rows were read") }
    }
    try checkWriting(decimals, dates, texts, server)
  }

  /// A statement throws the server's error. Afterwards, the connection is available for the next statement, unless it was closed.
  private static func checkError(_ fields: ArraySlice<UInt8>, _ server: WireServer) throws {
    let content = fields.split(separator: 0).flatMap { field -> [UInt8] in field + [0] } + [0]
    server.exchange(WireMessage("E", content).bytes + WireMessage.ready)
    var found: PostgreSQLError?
    do throws(PostgreSQLError) {
      try server.connection.query("SELECT", isPrepared: false) { _ throws(PostgreSQLError) in }
    } catch { found = error }
    guard let found else { throw BrokenLaw("a statement does not throw the error of the server") }
    try expect(!found.message.isEmpty && found.kind != .misuse, "an error of the server is \(found)")
    guard server.connection.isUsable else { return }
    server.exchange(WireMessage.begin + WireMessage("n").bytes + WireMessage.end)
    try server.connection.query("SELECT", isPrepared: false) { _ throws(PostgreSQLError) in }
  }

  private static func value(_ rest: inout ArraySlice<UInt8>, _ natural: Int) -> [UInt8]? {
    guard let length = rest.popFirst(), length < 255 else { return nil }
    let value = rest.prefix(length < 128 ? natural : Int(length) - 128)
    rest = rest.dropFirst(value.count)
    return Array(value)
  }

  /// Values that were read are written and read again.
  private static func checkWriting(
    _ decimals: [Decimal], _ dates: [Int64], _ texts: [String], _ server: WireServer
  ) throws {
    var parameters = Parameters()
    var types: [UInt32] = []
    for decimal in decimals {
      try parameters.append(decimal)
      types.append(PostgreSQLType.numeric.oid)
    }
    for date in dates where (try? parameters.append(microseconds: date)) != nil {
      types.append(PostgreSQLType.timestamptz.oid)
    }
    for text in texts where (try? parameters.append(text)) != nil { types.append(PostgreSQLType.text.oid) }
    guard !types.isEmpty else { return }
    server.exchange(WireMessage.begin + WireMessage("n").bytes + WireMessage.end)
    try server.connection.query("SELECT", parameters, isPrepared: false) { _ throws(PostgreSQLError) in }
    let values = parameterValues(in: server.exchange([]))
    try expect(values.count == types.count, "\(values.count) of \(types.count) parameters were sent")
    server.exchange(WireMessage.begin + WireMessage.columns(types) + WireMessage.row(values) + WireMessage.end)
    var (foundDecimals, foundDates, foundTexts): ([Decimal], [Int64], [String]) = ([], [], [])
    try server.connection.query("SELECT", isPrepared: false) { result throws(PostgreSQLError) in
      while try result.next() {
        for (column, type) in types.enumerated() {
          switch type {
          case PostgreSQLType.numeric.oid: foundDecimals.append(try result.decimal(column) ?? .nan)
          case PostgreSQLType.timestamptz.oid: foundDates.append(try result.microseconds(column) ?? 0)
          default: foundTexts.append(try result.text(column) ?? "")
          }
        }
      }
    }
    try expect(
      foundDecimals == decimals, "decimals are other ones after they were written: \(decimals), \(foundDecimals)")
    try expect(
      foundDates.allSatisfy(dates.contains), "dates are other ones after they were written: \(dates), \(foundDates)")
    try expect(
      foundTexts.allSatisfy(texts.contains), "texts are other ones after they were written: \(texts), \(foundTexts)")
  }

  /// The parameter values in the Bind messages of a client.
  private static func parameterValues(in messages: [UInt8]) -> [[UInt8]?] {
    var rest = messages[...]
    func integer(_ count: Int) -> Int {
      let value = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(count)
      return value
    }
    while let type = rest.popFirst() {
      let length = integer(4) - 4
      guard type == UInt8(ascii: "B") else {
        rest = rest.dropFirst(length)
        continue
      }
      // The names of the portal and the statement are empty.
      rest = rest.dropFirst(2)
      let formats = integer(2)
      rest = rest.dropFirst(2 * formats)
      return (0..<integer(2)).map { _ in
        let length = integer(4)
        if length == 0xFFFF_FFFF { return nil }
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
      }
    }
    return []
  }
}

/// Reads a value as each type.
private struct WireValues {
  var integer: Int64?
  var unsigned: UInt64?
  var bool: Bool?
  var double: Double?
  var decimal: Decimal?
  var text: String?
  var binary: [UInt8]?
  var uuid: UUID?
  var microseconds: Int64?
  private var kinds: [PostgreSQLError.Kind] = []

  init(_ rows: Rows, _ column: Int) {
    integer = read { () throws(PostgreSQLError) in try rows.int64(column) }
    unsigned = read { () throws(PostgreSQLError) in try rows.unsigned(column) }
    bool = read { () throws(PostgreSQLError) in try rows.bool(column) }
    double = read { () throws(PostgreSQLError) in try rows.double(column) }
    decimal = read { () throws(PostgreSQLError) in try rows.decimal(column) }
    text = read { () throws(PostgreSQLError) in try rows.text(column) }
    binary = read { () throws(PostgreSQLError) in try rows.binary(column) }
    uuid = read { () throws(PostgreSQLError) in try rows.uuid(column) }
    microseconds = read { () throws(PostgreSQLError) in try rows.microseconds(column) }
  }

  private mutating func read<Value>(_ body: () throws(PostgreSQLError) -> Value?) -> Value? {
    do throws(PostgreSQLError) { return try body() } catch {
      kinds.append(error.kind)
      return nil
    }
  }

  /// The law that does not hold for a value; nil if all laws hold.
  func brokenLaw(type: UInt32, bytes: [UInt8]?) -> String? {
    if kinds.contains(where: { $0 != .invalidValue }) {
      return "a value has other errors than 'invalidValue': \(kinds)"
    }
    guard let bytes else { return kinds.isEmpty ? nil : "NULL has errors" }
    let number = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    switch (type, bytes.count) {
    case (20, 8): return integer == Int64(bitPattern: number) ? nil : "a bigint is \(integer ?? 0)"
    case (23, 4): return integer == Int64(Int32(truncatingIfNeeded: number)) ? nil : "an integer is \(integer ?? 0)"
    case (21, 2): return integer == Int64(Int16(truncatingIfNeeded: number)) ? nil : "a smallint is \(integer ?? 0)"
    case (701, 8): return double?.bitPattern == number ? nil : "a double is \(double ?? 0)"
    case (5069, 8), (28, 4), (26, 4): return unsigned == number ? nil : "a transaction is \(unsigned ?? 0)"
    case (17, _): return binary == bytes ? nil : "a bytea is \(binary ?? [])"
    case (25, _), (114, _), (1043, _), (1042, _), (19, _), (705, _):
      return text == String(decoding: bytes, as: UTF8.self) ? nil : "a text is \(text ?? "none")"
    case (16, 1): return bool == (number != 0) ? nil : "a boolean is \(bool == true)"
    case (2950, 16):
      return uuid.map { withUnsafeBytes(of: $0.uuid, Array.init) } == bytes ? nil : "a uuid is other bytes"
    case (1700, _), (1184, 8), (700, 4): return nil
    default:
      let isRead = [integer, microseconds].contains { $0 != nil } || double != nil || bool != nil || uuid != nil
      return isRead ? "a value of the wrong type or length is read" : nil
    }
  }
}
