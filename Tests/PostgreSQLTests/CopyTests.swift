import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("COPY", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(5))) struct CopyTests {
  let connection: PostgreSQLConnection

  init() throws { connection = try Cluster.connection() }

  @Test("COPY writes values of all types")
  func types() throws {
    try connection.execute(
      """
      CREATE TEMPORARY TABLE t (a int8, b int4, c int2, d bool, e float8, f float4, g numeric, h text, i json, j uuid, k bytea,
        l timestamptz, m int8[], n text)
      """)
    let uuid = UUID()
    let count = try connection.copy(into: "t", columns: 14) { w throws(PostgreSQLError) in
      try w.beginRow()
      try w.append(1 as Int64)
      try w.append(2 as Int32)
      try w.append(3 as Int16)
      try w.append(true)
      try w.append(-0.0)
      try w.append(1.5 as Float)
      try w.append(Decimal(125) / 100)
      try w.append("a\tb\\N\n")
      try w.append(json: "[1]")
      try w.append(uuid)
      try w.append(bytes: [0, 255])
      try w.append(microseconds: -1)
      try w.append([1, 2] as [Int64])
      try w.appendNull(.text)
    }
    #expect(count == 1)
    #expect(
      try connection.text("SELECT concat_ws('|', a, b, c, d, e, f, g, h, i, j, k, l AT TIME ZONE 'UTC', m, n) FROM t")
        == #"1|2|3|t|-0|1.5|1.25|a\#tb\\N\#n|[1]|\#(uuid.uuidString.lowercased())|\x00ff|1969-12-31 23:59:59.999999|{1,2}"#
        .replacingOccurrences(of: #"\#t"#, with: "\t").replacingOccurrences(of: #"\\N"#, with: #"\N"#)
        .replacingOccurrences(of: #"\#n"#, with: "\n"))
    #expect(try connection.copy(into: "t", columns: 14) { _ in } == 0)
  }

  @Test("COPY inserts nothing if the closure throws, the server refuses a row, or values are missing")
  func failures() throws {
    try connection.execute("CREATE TEMPORARY TABLE t (n int8 PRIMARY KEY, s text)")
    func row(_ w: inout CopyWriter, _ number: Int64) throws(PostgreSQLError) {
      try w.beginRow()
      try w.append(number)
      try w.append("x")
    }
    let mine = error {
      try connection.copy(into: "t", columns: 2) { w throws(PostgreSQLError) in
        for number in 0..<50_000 { try row(&w, Int64(number)) }
        throw PostgreSQLError(.other, "mine")
      }
    }
    #expect(mine?.message == "mine")
    let twice = error {
      try connection.copy(into: "t", columns: 2) { w throws(PostgreSQLError) in
        for number in 0..<50_000 { try row(&w, Int64(number % 40_000)) }
      }
    }
    #expect(twice?.kind == .uniqueViolation && twice?.table == "t")
    let missing = error {
      try connection.copy(into: "t", columns: 2) { w throws(PostgreSQLError) in
        try row(&w, 1)
        try w.beginRow()
        try w.append(2 as Int64)
      }
    }
    #expect(missing?.message == "a row of COPY has 1 of 2 values")
    let more = error {
      try connection.copy(into: "t", columns: 1) { w throws(PostgreSQLError) in try row(&w, 1) }
    }
    #expect(more?.message == "a row of COPY has more than 1 values")
    let fewer = error {
      try connection.copy(into: "t", columns: 1) { w throws(PostgreSQLError) in
        try w.beginRow()
        try w.append(2 as Int64)
      }
    }
    #expect(fewer?.sqlState == "22P04")
    let nul = error {
      try connection.copy(into: "t", columns: 2) { w throws(PostgreSQLError) in
        try w.beginRow()
        try w.append(1 as Int64)
        try w.append("\u{0}")
      }
    }
    #expect(nul?.kind == .invalidValue)
    #expect(error { try connection.copy(into: "missing", columns: 2) { _ in } }?.sqlState == "42P01")
    let nested = error {
      try connection.copy(into: "t", columns: 2) { _ throws(PostgreSQLError) in try connection.execute("SELECT 1") }
    }
    #expect(nested?.message == "rows are being copied; end the copy first")
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test("A crafted target that would copy to the client causes an error instead of a hang")
  func wrongDirection() throws {
    #expect(error { try connection.copy(into: "pg_class TO STDOUT; --", columns: 2) { _ in } }?.kind == .misuse)
    #expect(!connection.isUsable)
  }

  @Test("COPY writes a value that is larger than a chunk")
  func large() throws {
    try connection.execute("CREATE TEMPORARY TABLE t (b bytea)")
    try connection.copy(into: "t", columns: 1) { w throws(PostgreSQLError) in
      for size in [0, 1, 65_535, 65_536, 10_000_000] {
        try w.beginRow()
        try w.append(bytes: [UInt8](repeating: 7, count: size))
      }
    }
    #expect(try connection.integer("SELECT sum(length(b))::int8 FROM t") == 10_131_072)
  }

  @Test("100,000 rows are copied and read back")
  func many() throws {
    let table = uniqueName("post")
    try connection.execute(
      "CREATE TABLE \(table) (_id bigint PRIMARY KEY, _version bigint, title text COLLATE \"C\", score float8, price numeric, created timestamptz)"
    )
    defer { try? connection.execute("DROP TABLE \(table)") }
    let clock = ContinuousClock()
    let count = 100_000
    let prices = (0..<count).map { Decimal($0) / 100 }
    let copying = try clock.measure {
      try connection.copy(into: table, columns: 6) { w throws(PostgreSQLError) in
        for number in 0..<count {
          try w.beginRow()
          try w.append(Int64(number))
          try w.append(Int64(1))
          try w.append("The title of the post with the number \(number)")
          try w.append(Double(number) / 3)
          try w.append(prices[number])
          try w.append(microseconds: Int64(number) * 1_000_000)
        }
      }
    }
    print("COPY of \(count) rows with 6 columns: \(copying) (handwritten, measured before: 1.0 seconds)")
    for reading in [Reading.streamed, .whole] {
      var (rows, isEqual) = (0, true)
      let time = try clock.measure {
        try connection.query("SELECT * FROM \(table) ORDER BY _id", reading: reading) { r throws(PostgreSQLError) in
          while try r.next() {
            let id = try r.int64(0)
            let title = try r.text(2)
            let score = try r.double(3)
            let (price, created) = (try r.decimal(4), try r.microseconds(5))
            isEqual =
              isEqual && id == Int64(rows) && title?.utf8.count ?? 0 > 38 && score == Double(rows) / 3
              && price == prices[rows] && created == Int64(rows) * 1_000_000
            rows += 1
          }
        }
      }
      #expect(rows == count && isEqual)
      print("Reading them back, \(reading): \(time)")
    }
    let ids = try Parameters { p throws(PostgreSQLError) in
      try p.append((0..<5000).map { Int64($0 * 19) })
    }
    var read = 0
    let found = try clock.measure {
      read = try connection.run("SELECT _id, title FROM \(table) WHERE _id = ANY($1)", ids)
    }
    #expect(read == 5000)
    print("5000 of them by '= ANY($1)': \(found)")
    var sum = 0
    let points = try clock.measure {
      for number in 0..<10_000 {
        var parameters = Parameters()
        try parameters.append(Int64(number * 7))
        sum += try connection.text("SELECT title FROM \(table) WHERE _id = $1", parameters)?.utf8.count ?? 0
      }
    }
    #expect(sum > 390_000)
    print("10,000 of them, one after another: \(points)")
  }
}
