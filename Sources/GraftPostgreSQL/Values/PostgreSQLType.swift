/// A type of values, by its number in `pg_type`. The numbers of built-in types never change.
package struct PostgreSQLType: Hashable, Sendable {
  package let oid: UInt32
  /// The number of the type of its arrays; 0 for an array.
  private let arrayOID: UInt32
  /// The name, for messages.
  package let name: String

  private init(_ name: String, _ oid: UInt32, array: UInt32) { (self.name, self.oid, arrayOID) = (name, oid, array) }

  /// The type of its arrays; nil for an array, because its dimensions are not part of its type.
  package var array: PostgreSQLType? { arrayOID == 0 ? nil : PostgreSQLType("\(name)[]", arrayOID, array: 0) }

  package static let bool = PostgreSQLType("boolean", 16, array: 1000)
  package static let bytea = PostgreSQLType("bytea", 17, array: 1001)
  package static let int8 = PostgreSQLType("bigint", 20, array: 1016)
  package static let int2 = PostgreSQLType("smallint", 21, array: 1005)
  package static let int4 = PostgreSQLType("integer", 23, array: 1007)
  package static let text = PostgreSQLType("text", 25, array: 1009)
  package static let json = PostgreSQLType("json", 114, array: 199)
  package static let float4 = PostgreSQLType("real", 700, array: 1021)
  package static let float8 = PostgreSQLType("double precision", 701, array: 1022)
  package static let timestamptz = PostgreSQLType("timestamptz", 1184, array: 1185)
  package static let numeric = PostgreSQLType("numeric", 1700, array: 1231)
  package static let uuid = PostgreSQLType("uuid", 2950, array: 2951)
  /// The number of a transaction, as returned by `pg_current_xact_id()`.
  package static let xid8 = PostgreSQLType("xid8", 5069, array: 271)

  /// The types by their numbers, for messages.
  private static let names = Dictionary(
    [bool, bytea, int8, int2, int4, text, json, float4, float8, timestamptz, numeric, uuid, xid8].map {
      ($0.oid, $0.name)
    }, uniquingKeysWith: { first, _ in first })

  static func name(_ oid: UInt32) -> String { names[oid] ?? "the type with the OID \(oid)" }
}

/// The numbers of types that are only read.
enum OtherType {
  static let name: UInt32 = 19
  static let oid: UInt32 = 26
  static let xid: UInt32 = 28
  static let bpchar: UInt32 = 1042
  static let varchar: UInt32 = 1043
  static let unknown: UInt32 = 705
}
