import Graft

/// The contents of the samples at one location: how often each kind of value occurs, and its contents.
///
///     [{"id": 1, "tags": ["a"]}, {"id": 2}]
///
///     root (1 array) ── element (2 objects) ─┬─ id (2 numbers)
///                                            └─ tags (1 array) ── element (1 string)
///
/// A shape takes memory in proportion to the values that it counts: 16 bytes for each member of an object, and 12 for the
/// object itself. The values are not kept, only their hashes.
final class SampleShape {
  let number: Int
  /// The key of the member; for an element, the key of the containing array or object.
  let key: String
  /// Whether the values are elements of an array, or of an object whose keys are data.
  var isElement: Bool
  /// The shape of the containing object or array.
  let parent: Int?

  var nulls = 0
  var booleans = 0
  var arrays = 0
  var objects = 0
  /// The number of objects and arrays without content.
  var empties = 0
  var emptyArrays = 0
  var falses = 0
  var numbers = NumberFacts()
  var texts = TextFacts()

  /// The members of the objects, in the order of their first occurrence.
  var members: [Int] = []
  var memberNumbers: [UTF8Key: Int] = [:]
  /// The elements of the arrays.
  var element: Int?
  /// The values of objects whose keys are data.
  var keyed: Int?
  /// The keys under which the values of a keyed collection appear.
  var elementKey: Int?

  /// The objects.
  var rows = ObjectRows()
  /// The scalars in arrays, and the keys of keyed collections, with the objects that contain them.
  var items = OwnedHashes()

  /// Whether one object may represent an array of one.
  var isLenient = false
  /// Whether the keys of the objects are data that differ from object to object, such as tags.
  var hasFreeKeys = false

  /// The last result of ``idRank(of:)``, and the key of the shape.
  private var knownIDRank: (key: String, rank: Int?)?

  /// The last object that has this member, and whether any object has it twice.
  var lastRow = -1
  var occursTwice = false

  init(_ number: Int, key: String, isElement: Bool, parent: Int?) {
    self.number = number
    self.key = key
    self.isElement = isElement
    self.parent = parent
  }

  /// Returns the rank of the key among keys that identify the objects of a shape by their name: `id`, and `heroId` in `heroes`. nil for
  /// other keys.
  func idRank(of shape: SampleShape) -> Int? {
    if let knownIDRank, knownIDRank.key == shape.key { return knownIDRank.rank }
    var rank: Int?
    if IdentityKeys.isGeneric(key) {
      rank = 0
    } else if let prefix = IdentityKeys.prefix(of: key)?.first {
      rank = KeyNames.lowercaseWords(shape.key).contains { KeyNames.singular($0) == prefix } ? 1 : nil
    }
    knownIDRank = (shape.key, rank)
    return rank
  }

  /// The number of values that are neither null nor absent.
  var present: Int { scalars + arrays + objects }
  var scalars: Int { booleans + numbers.count + texts.count }

  /// The values that represent null where the other values are objects or arrays: empty text, `false`, and `[]` next to objects.
  var blanks: [JSON] {
    var blanks: [JSON] = []
    if texts.empties > 0 { blanks.append("") }
    if falses > 0, booleans == falses { blanks.append(false) }
    if emptyArrays > 0, objects > 0 { blanks.append([]) }
    return blanks
  }
  /// The number of scalars that do not represent null.
  var fullScalars: Int { scalars - texts.empties - (booleans == falses ? falses : 0) }
}

/// Objects of the samples: the hashes of their members, and the objects that contain them.
///
///     ids       7         8
///     owners    2         2
///     vias      12        12       the member of the owner
///     starts    0         2
///     cells     (13, a) (14, b) (13, c)
struct ObjectRows {
  /// The hash of one member.
  struct Cell {
    var member: UInt32
    var hash: ValueHash
  }

  private(set) var ids: [UInt32] = []
  private(set) var owners: [UInt32] = []
  private(set) var vias: [UInt32] = []
  private var starts: [Int] = []
  private var cells: [Cell] = []
  private var nullStarts: [Int] = []
  private var nulls: [UInt32] = []

  var count: Int { ids.count }

  /// - Parameters:
  ///   - members: the members that are not null.
  ///   - nulls: the members that are null.
  mutating func append(id: Int, owner: Int, via: Int, _ members: ArraySlice<Cell>, nulls: ArraySlice<UInt32>) {
    ids.append(UInt32(truncatingIfNeeded: id))
    owners.append(UInt32(truncatingIfNeeded: owner))
    vias.append(UInt32(truncatingIfNeeded: via))
    starts.append(cells.count)
    cells += members
    nullStarts.append(self.nulls.count)
    self.nulls += nulls
  }

  /// The members of an object that are null.
  func nulls(of row: Int) -> ArraySlice<UInt32> {
    nulls[nullStarts[row]..<(row + 1 < count ? nullStarts[row + 1] : nulls.count)]
  }

  /// The members of an object that are not null.
  subscript(row: Int) -> ArraySlice<Cell> { cells[starts[row]..<(row + 1 < count ? starts[row + 1] : cells.count)] }

  mutating func append(_ other: Self) {
    let (shift, nullShift) = (cells.count, nulls.count)
    ids += other.ids
    owners += other.owners
    vias += other.vias
    starts += other.starts.map { $0 + shift }
    cells += other.cells
    nullStarts += other.nullStarts.map { $0 + nullShift }
    nulls += other.nulls
  }

  /// Appends objects that have one more member: the key under which they appear.
  mutating func append(_ other: Self, key member: Int, _ hash: ValueHash) {
    for row in 0..<other.count {
      append(
        id: Int(other.ids[row]), owner: Int(other.owners[row]), via: Int(other.vias[row]),
        other[row] + [Cell(member: UInt32(member), hash: hash)], nulls: other.nulls(of: row))
    }
  }
}

/// Hashes of values, each with the object that contains it.
struct OwnedHashes {
  private(set) var hashes: [ValueHash] = []
  private(set) var owners: [UInt32] = []

  mutating func append(_ hash: ValueHash, owner: Int) {
    hashes.append(hash)
    owners.append(UInt32(truncatingIfNeeded: owner))
  }

  mutating func append(_ other: Self) {
    hashes += other.hashes
    owners += other.owners
  }

  /// Whether an object contains a value twice.
  var hasRepeats: Bool {
    var seen: [UInt32: Set<ValueHash>] = [:]
    for (hash, owner) in zip(hashes, owners) where !seen[owner, default: []].insert(hash).inserted { return true }
    return false
  }
}
