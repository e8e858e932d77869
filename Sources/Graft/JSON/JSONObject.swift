/// The members of a JSON object, in order. Keys are unique and are compared by their bytes.
///
///     var hero: JSONObject = ["id": 1, "name": "Batman"]
///     hero["name"] = "Bruce"
public struct JSONObject: Sendable {
  /// A key and its value.
  public typealias Member = (key: String, value: JSON)
  /// The members, in order.
  public private(set) var members: [Member]

  /// Creates an object from members whose keys are known to be unique.
  package init(uncheckedMembers members: [Member]) { self.members = members }

  /// Creates an object from members.
  ///
  /// - Precondition: No key occurs twice.
  public init(_ members: some Sequence<Member>) {
    let members = Array(members)
    var seen = Set<UTF8Key>(minimumCapacity: members.count)
    for member in members {
      precondition(seen.insert(UTF8Key(member.key)).inserted, "the key \(member.key.debugDescription) occurs twice")
    }
    self.members = members
  }

  /// The value for a key, or nil if the object has no such key. Setting it replaces the value in place, appends a member, or, if nil,
  /// removes the member. Expected O(number of members).
  public subscript(key: String) -> JSON? {
    get { place(of: key).map { members[$0].value } }
    set {
      switch (place(of: key), newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }

  private func place(of key: String) -> Int? {
    let key = UTF8Key(key)
    return members.firstIndex { UTF8Key($0.key) == key }
  }
}

extension JSONObject: RandomAccessCollection, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  public var startIndex: Int { members.startIndex }
  public var endIndex: Int { members.endIndex }

  /// The member at a position.
  public subscript(position: Int) -> Member { members[position] }

  /// Creates an object from members.
  ///
  /// - Precondition: No key occurs twice.
  public init(dictionaryLiteral members: (String, JSON)...) { self.init(members.map { (key: $0.0, value: $0.1) }) }

  /// The object as compact JSON text.
  public var description: String { JSONWriter.text(of: .object(self)) }
}

extension JSONObject: Hashable {
  /// With fewer members than this, linear searches are cheaper than a table.
  private static let fewMembers = 8

  /// Returns whether two objects have equal members, in any order.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.members.count == right.members.count else { return false }
    // Usually, the order is also the same.
    if zip(left.members, right.members).allSatisfy({ UTF8Key($0.key) == UTF8Key($1.key) }) {
      return zip(left.members, right.members).allSatisfy { $0.value == $1.value }
    }
    if left.members.count <= fewMembers { return left.members.allSatisfy { right[$0.key] == $0.value } }
    let table = Dictionary(uniqueKeysWithValues: right.members.map { (UTF8Key($0.key), $0.value) })
    return left.members.allSatisfy { table[UTF8Key($0.key)] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for member in members {
      var one = hasher
      one.combine(UTF8Key(member.key))
      one.combine(member.value)
      sum &+= one.finalize()
    }
    hasher.combine(members.count)
    hasher.combine(sum)
  }
}
