import Graft

/// Adds the other side of each relationship, and decides whether it is a to-one or a to-many.
struct InverseFinder {
  let table: ShapeTable
  let drafts: [EntityDraft]
  /// For each object of the samples: its owner, and the hash of its identity, or one of its own.
  private var owners: [UInt32] = []
  private var identities: [ValueHash?] = []
  private var isObject: [Bool] = []

  init(_ table: ShapeTable, _ drafts: [EntityDraft]) {
    self.table = table
    self.drafts = drafts
    owners = Array(repeating: 0, count: table.objectCount + 1)
    identities = Array(repeating: nil, count: table.objectCount + 1)
    isObject = Array(repeating: false, count: table.objectCount + 1)
    for shape in table.shapes {
      for row in 0..<shape.rows.count { owners[Int(shape.rows.ids[row])] = shape.rows.owners[row] }
    }
    for draft in drafts where draft.parent == nil {
      let key = draft.identity.map { $0.shape.number }
      for row in 0..<draft.shape.rows.count {
        let id = Int(draft.shape.rows.ids[row])
        isObject[id] = true
        guard let key else { continue }
        identities[id] = draft.shape.rows[row].first { table.find(Int($0.member)) == key }?.hash
      }
    }
  }

  func addInverses() {
    for draft in drafts {
      let relationships = draft.properties.filter { $0.destination != nil }
      // What is certain has the shorter name on the other side.
      for property in relationships.filter({ $0.note == nil }) + relationships.filter({ $0.note != nil }) {
        guard let destination = property.destination else { continue }
        add(property, of: draft, to: destination)
      }
    }
  }

  private func add(_ property: EntityDraft.Property, of draft: EntityDraft, to destination: EntityDraft) {
    let isIdentified = destination.identityKey != nil
    let isToMany =
      switch property.kind {
      case .identifiers(_, false), .toOne: isIdentified
      case .identifiers: true
      default: isIdentified && isShared(property, destination)
      }
    let name: String
    if draft === destination {
      // Without a word for the other side, a relationship from an entity to itself gets none.
      guard property.isToMany, !isToMany, property.name == "children", !draft.isUsed("parent") else { return }
      name = draft.take(["parent"])
    } else {
      let words = KeyNames.words(draft.name)
      let last = words.last ?? draft.name
      let base = KeyNames.propertyName(isToMany ? words.dropLast() + [KeyNames.plural(last)] : words)
      let role = property.name.prefix(1).uppercased() + property.name.dropFirst()
      name = destination.take([base, base + "As" + role])
    }
    destination.inverses.append(
      EntityDraft.Inverse(name: name, source: draft, property: property.name, isToMany: isToMany))
  }

  /// Whether two owners have the same object.
  private func isShared(_ property: EntityDraft.Property, _ destination: EntityDraft) -> Bool {
    let via =
      switch property.kind {
      case .toMany(_, isKeyed: true): property.shape.keyed.map(table.find) ?? property.shape.number
      default: property.shape.number
      }
    let rows = destination.shape.rows
    var first: [ValueHash: ValueHash] = [:]
    for row in 0..<rows.count where table.find(Int(rows.vias[row])) == via {
      guard let identity = identities[Int(rows.ids[row])] else { continue }
      var owner = Int(rows.owners[row])
      while owner > 0, !isObject[owner] { owner = Int(owners[owner]) }
      let hash = identities[owner] ?? .integer(Int64(owner))
      if let known = first[identity], known != hash { return true }
      first[identity] = hash
    }
    return false
  }
}
