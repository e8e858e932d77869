/// Members of hubs, in the form that an experienced user would write without an engine.
final class TypedMember {
  let id: Int
  var name: String
  var rank: Int
  var score: Double
  var isActive: Bool
  private(set) var hub: TypedHub?

  init(id: Int, name: String, rank: Int, score: Double, isActive: Bool) {
    self.id = id
    self.name = name
    self.rank = rank
    self.score = score
    self.isActive = isActive
  }

  convenience init(number: Int) {
    self.init(
      id: number, name: MemberValues.name(number), rank: MemberValues.rank(number), score: MemberValues.score(number),
      isActive: MemberValues.isActive(number))
  }

  func setHub(_ new: TypedHub?) {
    if hub === new { return }
    hub?.members.removeValue(forKey: id)
    new?.members[id] = self
    hub = new
  }
}

/// A hub finds its members by identifier, so removing one of them takes constant time.
final class TypedHub {
  let id: Int
  var members: [Int: TypedMember] = [:]

  init(id: Int) { self.id = id }
}

/// The objects by identifier, and in order.
final class TypedMembers {
  private(set) var byID: [Int: TypedMember] = [:]
  private(set) var all: [TypedMember] = []
  private(set) var hubs: [TypedHub] = []

  init() {}

  init(_ count: Int, perHub: Int) {
    all.reserveCapacity(count)
    for number in 0..<count {
      let member = TypedMember(number: number)
      if number / perHub == hubs.count { hubs.append(TypedHub(id: hubs.count)) }
      member.setHub(hubs[number / perHub])
      insert(member)
    }
  }

  func insert(_ member: TypedMember) {
    byID[member.id] = member
    all.append(member)
  }

  /// Breaks the cycles between objects, so that they are freed.
  func dismantle() {
    for hub in hubs { hub.members = [:] }
  }
}
