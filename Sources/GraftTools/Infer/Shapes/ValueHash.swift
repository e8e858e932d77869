import Graft

/// A hash of a JSON value. Equal values have equal hashes: `1` and `1.0`, and objects whose members are in a different order.
///
/// Inference compares values of the samples by these hashes, so that it need not keep the values.
struct ValueHash: Hashable {
  let bits: UInt64

  private init(_ bits: UInt64) { self.bits = bits }

  private init(_ kind: Int, _ combine: (inout Hasher) -> Void) {
    var hasher = Hasher()
    hasher.combine(kind)
    combine(&hasher)
    bits = UInt64(truncatingIfNeeded: Int64(hasher.finalize()))
  }

  static let null = ValueHash(0) { _ in }

  static func boolean(_ value: Bool) -> ValueHash { ValueHash(1) { $0.combine(value) } }

  static func number(_ text: String) -> ValueHash {
    let number = JSONNumber(uncheckedText: text)
    if let integer = number.int64 { return .integer(integer) }
    return ValueHash(3) { $0.combine(number) }
  }

  static func integer(_ value: Int64) -> ValueHash { ValueHash(2) { $0.combine(value) } }

  static func string(_ text: String) -> ValueHash { ValueHash(4) { $0.combine(UTF8Key(text)) } }

  /// The hash of a key under which an object appears: the hash of an integer if the key spells one, as `@key` is read.
  static func key(_ text: String) -> ValueHash {
    if let value = Int64(text), UTF8Key(String(value)) == UTF8Key(text) { return .integer(value) }
    return .string(text)
  }

  /// The hash of a container so far, which elements or members are added to.
  static func container(isObject: Bool) -> ValueHash { ValueHash(isObject ? 5 : 6) { _ in } }

  func adding(element: ValueHash) -> ValueHash {
    ValueHash(7) {
      $0.combine(bits)
      $0.combine(element.bits)
    }
  }

  func adding(member key: String, _ value: ValueHash) -> ValueHash {
    let member = ValueHash(8) {
      $0.combine(UTF8Key(key))
      $0.combine(value.bits)
    }
    return ValueHash(bits &+ member.bits)
  }
}
