/// One key of an entity as it stands in JSON, and what its value means. Plain data: the importer reads it through a
/// pointer and looks nothing up by name.
///
/// The key is compared as words, with its closing quote, before anything else is known about it:
///
///     key    "name":          bytes n a m e "      word0 & mask0 == key bytes, and nothing more to compare
///     key    "created_at":    bytes c r e a t e d _  a t "     word0, word1
struct FieldPlan {
  /// How a value is read.
  enum Reading: UInt8 {
    case integer, float, double, decimal, boolean, string, date, binary, uuid, uri, json
    /// `StringToInteger` without a detour: digits in a string.
    case stringToInteger
    /// A closure of the registry.
    case transformed
    case toOne, toMany
    /// The value holds further keys of the same object: `publisher.name`.
    case group
    /// The key of a declarative mapper that no property maps: read before the object is, and passed over here.
    case discriminator
  }

  var word0: UInt64 = 0
  var mask0: UInt64 = 0
  var word1: UInt64 = 0
  var mask1: UInt64 = 0
  /// The key's bytes and the closing quote; zeros follow, so that two words can be read.
  var key: UnsafePointer<UInt8>
  /// The number of bytes with the closing quote.
  var length: Int
  /// The key cannot stand in JSON without escapes: only decoded keys match it.
  var needsEscapes: Bool
  var reading: Reading
  /// 0 for the key path, 1... for its aliases in order.
  var rank: Int
  /// The slot of the property; -1 for groups and discriminators.
  var slot: Int
  /// Number of the field in its entity, for telling that a key occurs twice.
  var number: Int
  /// The entity whose field it is.
  var entity: Int
  /// For integers: the least and the greatest value.
  var range: ClosedRange<Int64> = Int64.min...Int64.max
  /// For relationships: the destination entity.
  var destination = -1
  /// For groups: the group of further keys.
  var group = -1
  /// For transformed attributes: index in the plan's transformers.
  var transformer = -1
  var isIdentity = false
  /// For relationships: the inverse is a property of the same object, and another one.
  var hasInverseBeside = false
}

/// The keys that may stand in one object: an entity's own, or those of a key path's inner object.
struct GroupPlan {
  var first: Int
  var count: Int
  /// Open addressing: field index + 1 by ``KeyHash``.
  var table: UnsafeMutablePointer<Int32>
  var tableMask: Int
}

/// A hash of a key's bytes that needs no loop. It has no seed: the keys in a table are the model's, and a payload can do no
/// worse than to hit one of them and be compared.
enum KeyHash {
  @inline(__always)
  static func of(_ base: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    if count >= 8 {
      head = load64(base)
      tail = load64(base + count - 8)
    } else {
      for index in 0..<count { head = head << 8 | UInt64(base[index]) }
    }
    let mixed = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(count)) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ (mixed >> 32)
  }
}
