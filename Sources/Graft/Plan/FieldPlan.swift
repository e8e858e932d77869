/// One key of an entity in JSON, and the meaning of its value. A field is plain data: the importer reads it through a
/// pointer, and does not look up any names.
///
/// The key, with its closing quote, is first compared as words:
///
///     key    "name":          bytes n a m e "      word0 & mask0 == key bytes, and nothing more to compare
///     key    "created_at":    bytes c r e a t e d _  a t "     word0, word1
struct FieldPlan {
  /// The way to read a value.
  enum Reading: UInt8 {
    case integer, float, double, decimal, boolean, string, date, binary, uuid, uri, json
    /// `StringToInteger`, read directly from the digits in a string.
    case stringToInteger
    /// A registered closure.
    case transformed
    /// An array of values (M13).
    case list
    /// A value that may have another form that means null (M20). The field at ``FieldPlan/inner`` reads all other values.
    case guarded
    case toOne, toMany
    /// A relationship to objects that are identified inside their owner. It is read when the owner is known (M12, M27).
    case owned
    /// The value contains further keys of the same object: `publisher.name`.
    case group
    /// The key of a declarative mapper or of a mark (M17) that no property maps, which is read before the object; or the key of a
    /// property that is only exported (M16); or the first key of a path through arrays, which the field at ``FieldPlan/inner``
    /// reads at the end of the object (M25). The value itself is skipped.
    case skipped
    /// A relationship whose value may have another form (M20, M22). The field at ``FieldPlan/inner`` reads the usual form.
    case shaped
    /// An identifier in several keys, read at the end of the object (M24).
    case parts
    /// The values on a path through arrays, read at the end of the object (M25).
    case spread
  }

  /// The condition under which a value is read before the rest of its object.
  enum Ahead {
    case never
    /// The value is read ahead only if no object has the identity: a value of an alternate identity (M27).
    case ifNeeded
    /// The value is always read ahead: an identity value, or the value of a modification attribute (M17).
    case always
  }

  var word0: UInt64 = 0
  var mask0: UInt64 = 0
  var word1: UInt64 = 0
  var mask1: UInt64 = 0
  /// The bytes of the key and its closing quote, followed by zeros in memory so that two words can be read.
  var key: LentBytes
  /// Whether the key requires escapes in JSON, so that only decoded keys match it.
  var needsEscapes: Bool
  var reading: Reading
  /// The source of the value if it is outside the object (M19). In that case, the field is not in any group.
  var surroundings: JSONKeyPath.Surroundings?
  /// 0 for the key path, 1... for its aliases in order.
  var rank: Int
  /// The slot of the property, or -1 for groups and skipped keys.
  var slot: Int
  /// The number of the field in its entity, for detecting duplicate keys.
  var number: Int
  /// The entity of the field.
  var entity: Int
  /// For integers, the range of values.
  var range: ClosedRange<Int64> = Int64.min...Int64.max
  /// For relationships, the destination entity.
  var destination = -1
  /// For groups, the group of further keys.
  var group = -1
  /// For lists, the field that reads an element.
  var element = -1
  /// The field that reads the usual form of a value that may have other forms.
  var inner = -1
  /// The index in the plan of the field's unusual forms, or -1.
  var forms = -1
  /// For transformed attributes, the index in the plan's transformers.
  var transformer = -1
  /// Whether text that the attribute itself can read is kept unchanged. The transformer would return the same value as a `URL` or `Date`,
  /// which may be spelled differently or be less exact.
  var keepsText = false
  var isIdentity = false
  /// Whether the value is read before the rest of its object.
  var ahead = Ahead.never
  /// For relationships, whether the inverse is another property of the same object.
  var hasInverseBeside = false
  /// Whether only objects inside the entity's objects read the value of the key (M19).
  var isForOthers = false
}

extension FieldPlan {
  /// The key, without quotes and escapes.
  var name: String { String(decoding: key.dropLast(), as: UTF8.self) }
}

/// The keys of one object: an entity's own keys, or the keys of an object along a key path.
struct GroupPlan {
  var first: Int
  var count: Int
  /// The hash table of the keys, with open addressing: each entry is a field's index + 1, located by ``KeyHash``.
  var table: PlanReference<Int32>
  var tableMask: Int
}

/// A hash of a key's bytes without a loop. It needs no seed, because the table contains only keys of the model. At worst, a key in a
/// payload requires a comparison with one of these keys.
enum KeyHash {
  @inline(__always)
  static func of(_ key: LentBytes) -> UInt64 {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    if key.count >= 8 {
      head = key.word(from: 0)
      tail = key.word(from: key.count - 8)
    } else {
      for index in 0..<key.count { head = head << 8 | UInt64(key[index]) }
    }
    let mixed = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(key.count)) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ (mixed >> 32)
  }
}
