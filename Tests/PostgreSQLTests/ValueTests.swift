import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("Values", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(5))) struct ValueTests {
  let connection: PostgreSQLConnection

  init() throws { connection = try Cluster.connection() }

  /// Sends a value and reads it back.
  private func echo<Value>(
    _ type: String, _ write: (inout Parameters) throws(PostgreSQLError) -> Void,
    _ read: (Rows) throws(PostgreSQLError) -> Value?
  ) throws(PostgreSQLError) -> Value? {
    try connection.query("SELECT $1::\(type)", Parameters(write)) { rows throws(PostgreSQLError) in
      _ = try rows.next()
      return try read(rows)
    }
  }

  @Test("Integers and booleans round-trip")
  func integers() throws {
    for value in [0, 1, -1, .max, .min, 1 << 40] as [Int64] {
      #expect(
        try echo(
          "int8", { p throws(PostgreSQLError) in try p.append(value) }, { r throws(PostgreSQLError) in try r.int64(0) })
          == value)
    }
    for value in [0, .max, .min] as [Int32] {
      #expect(
        try echo(
          "int4", { p throws(PostgreSQLError) in try p.append(value) }, { r throws(PostgreSQLError) in try r.int64(0) })
          == Int64(value))
    }
    for value in [0, .max, .min] as [Int16] {
      #expect(
        try echo(
          "int2", { p throws(PostgreSQLError) in try p.append(value) }, { r throws(PostgreSQLError) in try r.int64(0) })
          == Int64(value))
    }
    for value in [true, false] {
      #expect(
        try echo(
          "bool", { p throws(PostgreSQLError) in try p.append(value) }, { r throws(PostgreSQLError) in try r.bool(0) })
          == value)
    }
    #expect(
      try connection.all("SELECT pg_current_xact_id(), 26::oid") { r throws(PostgreSQLError) in
        [try r.unsigned(0), try r.unsigned(1)]
      }[0][1] == 26)
    let xid = UInt64(1) << 60
    #expect(
      try echo(
        "xid8", { p throws(PostgreSQLError) in try p.append(transaction: xid) },
        { r throws(PostgreSQLError) in try r.unsigned(0) }) == xid)
  }

  @Test("Doubles and floats keep all their bits")
  func doubles() throws {
    let values: [Double] = [
      0, -0.0, 1.5, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, .ulpOfOne,
      Double(nan: 5, signaling: false),
    ]
    for value in values {
      let back = try echo(
        "float8", { p throws(PostgreSQLError) in try p.append(value) }, { r throws(PostgreSQLError) in try r.double(0) }
      )
      #expect(back?.bitPattern == value.bitPattern)
      let float = Float(value)
      let single = try echo(
        "float4", { p throws(PostgreSQLError) in try p.append(float) }, { r throws(PostgreSQLError) in try r.float(0) })
      #expect(single?.bitPattern == float.bitPattern)
    }
    #expect(try connection.text("SELECT '-0'::float8::text") == "-0")
  }

  @Test("Text, JSON, bytes and UUIDs round-trip")
  func texts() throws {
    for text in [
      "", "a", "it's \"quoted\" \\ $1 -- ; /*", "\u{1}\u{7F}é漢😀\u{10FFFF}", String(repeating: "x", count: 300_000),
    ] {
      #expect(
        try echo(
          "text", { p throws(PostgreSQLError) in try p.append(text) }, { r throws(PostgreSQLError) in try r.text(0) })
          == text)
      #expect(
        try echo(
          "varchar", { p throws(PostgreSQLError) in try p.append(text) }, { r throws(PostgreSQLError) in try r.text(0) }
        ) == text)
    }
    let json = #"{"b": 1.50, "a": 1e400, "a": null}"#
    #expect(
      try echo(
        "json", { p throws(PostgreSQLError) in try p.append(json: json) },
        { r throws(PostgreSQLError) in try r.text(0) }) == json)
    for bytes in [[], [0], Array(0...255)] as [[UInt8]] {
      #expect(
        try echo(
          "bytea", { p throws(PostgreSQLError) in try p.append(bytes: bytes) },
          { r throws(PostgreSQLError) in try r.binary(0) }) == bytes)
      let raw = try echo(
        "bytea", { p throws(PostgreSQLError) in try p.append(bytes: bytes) },
        { r throws(PostgreSQLError) in try r.bytes(0).map { Array($0) } })
      #expect(raw == bytes)
    }
    let uuid = UUID()
    #expect(
      try echo(
        "uuid", { p throws(PostgreSQLError) in try p.append(uuid) }, { r throws(PostgreSQLError) in try r.uuid(0) })
        == uuid)
    #expect(
      try echo(
        "uuid::text", { p throws(PostgreSQLError) in try p.append(uuid) },
        { r throws(PostgreSQLError) in try r.text(0) }) == uuid.uuidString.lowercased())
  }

  @Test("Text with NUL causes a clear error, and nothing is sent")
  func nul() throws {
    var parameters = Parameters()
    let errors = [
      error { try parameters.append("a\u{0}b") }, error { try parameters.append(json: "\"\u{0}\"") },
      error { try parameters.append(["a", "\u{0}"]) },
    ]
    for found in errors {
      #expect(found?.kind == .invalidValue)
      #expect(found?.message == "a string has a NUL character, which PostgreSQL cannot store")
    }
    #expect(error { try connection.execute("SELECT 1\u{0}; DROP TABLE x") }?.kind == .misuse)
    #expect(error { try connection.run("SELECT 1\u{0}") }?.kind == .misuse)
    #expect(error { try connection.listen(to: "a\u{0}") }?.kind == .misuse)
    #expect(try connection.integer("SELECT 1::int8") == 1)
  }

  @Test("Invalid UTF-8 is refused by the server, and the connection stays usable")
  func invalidUTF8() throws {
    let bytes: [UInt8] = [0x61, 0xFF]
    let found = error {
      try bytes.withUnsafeBufferPointer { bytes in
        _ = try echo(
          "text", { p throws(PostgreSQLError) in try p.append(utf8: bytes) },
          { r throws(PostgreSQLError) in try r.text(0) })
      }
    }
    #expect(found?.sqlState == "22021")
    #expect(connection.isUsable)
  }

  @Test("NULL is returned as nil, and a value of an unexpected type causes an error")
  func mismatches() throws {
    try connection.query("SELECT NULL::int8, ''::text, 1.5::float8, 7::int8, '[]'::json") { r throws(PostgreSQLError) in
      #expect(error { _ = try r.int64(0) }?.kind == .misuse)
      _ = try r.next()
      let (null, empty) = (try r.int64(0), try r.text(1))
      let isNull = (try r.isNull(0), try r.isNull(1))
      #expect(null == nil && empty == "" && isNull == (true, false))
      #expect(error { _ = try r.int64(2) }?.message == "expected an integer in column 2, found double precision")
      #expect(error { _ = try r.double(3) }?.message == "expected a floating-point number in column 3, found bigint")
      #expect(error { _ = try r.text(3) }?.kind == .invalidValue)
      #expect(error { _ = try r.bool(3) }?.kind == .invalidValue)
      #expect(error { _ = try r.uuid(4) }?.kind == .invalidValue)
      #expect(error { _ = try r.decimal(4) }?.kind == .invalidValue)
      #expect(error { _ = try r.microseconds(4) }?.kind == .invalidValue)
      #expect(error { _ = try r.binary(4) }?.kind == .invalidValue)
      #expect(error { _ = try r.unsigned(3) }?.kind == .invalidValue)
      #expect(error { _ = try r.int64(5) }?.message == "there is no column 5; the statement returns 5")
      #expect(error { _ = try r.int64(-1) }?.kind == .misuse)
    }
    let null = try Parameters { p throws(PostgreSQLError) in
      for type in [PostgreSQLType.int8, .text, .numeric, .json] { try p.appendNull(type) }
    }
    #expect(try connection.text("SELECT concat($1::int8, $2::text, $3::numeric, $4::json)", null) == "")
  }

  @Test("Dates are exact to the microsecond, before 1970 as well as in the distant future")
  func dates() throws {
    let cases: [(Int64, String)] = [
      (0, "1970-01-01 00:00:00+00"), (-1, "1969-12-31 23:59:59.999999+00"),
      (946_684_800_000_000, "2000-01-01 00:00:00+00"), (946_684_799_999_999, "1999-12-31 23:59:59.999999+00"),
      (-62_135_596_800_000_000, "0001-01-01 00:00:00+00"), (-210_866_803_200_000_000, "4714-11-24 00:00:00+00 BC"),
      (253_402_300_799_999_999, "9999-12-31 23:59:59.999999+00"), (Int64.max, "294247-01-10 04:00:54.775807+00"),
    ]
    try connection.execute("SET timezone = 'UTC'")
    for (value, text) in cases {
      let parameters = try Parameters { p throws(PostgreSQLError) in try p.append(microseconds: value) }
      #expect(try connection.text("SELECT $1::timestamptz::text", parameters) == text)
      #expect(
        try connection.all("SELECT $1::timestamptz", parameters) { r throws(PostgreSQLError) in try r.microseconds(0) }
          == [value])
    }
    for value in [Int64.min, -220_000_000_000_000_000] {
      #expect(
        error { _ = try Parameters { p throws(PostgreSQLError) in try p.append(microseconds: value) } }?.kind
          == .invalidValue)
    }
    for text in ["infinity", "-infinity", "294276-12-31"] {
      let found = error {
        _ = try connection.all("SELECT '\(text)'::timestamptz") { r throws(PostgreSQLError) in try r.microseconds(0) }
      }
      #expect(found?.kind == .invalidValue, "\(text)")
    }
    // Rows after an error are read and discarded.
    #expect(try connection.integer("SELECT 1::int8") == 1)
  }

  @Test("Arrays of all types can be used with ANY and unnest")
  func arrays() throws {
    let uuids = [UUID(), UUID()]
    let decimals = [Decimal(string: "1.50"), Decimal(string: "-1e20")].compactMap(\.self)
    let parameters = try Parameters { p throws(PostgreSQLError) in
      try p.append([1, 2, -3] as [Int64])
      try p.append(["", "a\"b,{}", "NULL"])
      try p.append([1.5, -0.0, .infinity] as [Double])
      try p.append([true, false])
      try p.append(uuids)
      try p.append(microseconds: [0, -1])
      try p.append(bytes: [[], [0, 255]])
      try p.append(decimals)
    }
    let text = try connection.text(
      """
      SELECT concat_ws('|', $1::int8[], $2::text[], $3::float8[], $4::bool[], array_length($5::uuid[], 1),
        extract(epoch FROM ($6::timestamptz[])[2])::float8, $7::bytea[], $8::numeric[])
      """, parameters)
    #expect(
      text
        == #"{1,2,-3}|{"","a\"b,{}","NULL"}|{1.5,-0,Infinity}|{t,f}|2|-1e-06|{"\\x","\\x00ff"}|{1.5,-100000000000000000000}"#
    )
    let ids = try Parameters { p throws(PostgreSQLError) in try p.append([5, 500, 7] as [Int64]) }
    #expect(
      try connection.integer("SELECT count(*) FROM generate_series(1::int8, 10) AS n WHERE n = ANY($1)", ids) == 2)
    let empty = try Parameters { p throws(PostgreSQLError) in try p.append([] as [Int64]) }
    #expect(
      try connection.integer("SELECT count(*) FROM generate_series(1::int8, 10) AS n WHERE n = ANY($1)", empty) == 0)
    let pairs = try Parameters { p throws(PostgreSQLError) in
      try p.append([1, 2, 3] as [Int64])
      try p.appendArray(of: .text) { e throws(PostgreSQLError) in
        try e.append("one")
        try e.appendNull(.text)
        try e.append("three")
      }
    }
    let rows = try connection.all("SELECT n, t FROM unnest($1, $2) AS x (n, t)", pairs) { r throws(PostgreSQLError) in
      try r.text(1)
    }
    #expect(rows == ["one", nil, "three"])
    let wrong = error {
      _ = try Parameters { p throws(PostgreSQLError) in
        try p.appendArray(of: .text) { e throws(PostgreSQLError) in try e.append(true) }
      }
    }
    #expect(wrong?.message == "an element of an array of text is written as boolean")
  }
}
