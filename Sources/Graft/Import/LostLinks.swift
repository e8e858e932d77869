/// Finds links of the payload that are missing from the graph afterwards (I22).
struct LostLinks {
  private let state: Reference<GraphState>
  private let plan: Plan
  private let shelf: PieceShelf
  private let suspicions: Suspicions
  /// The locations of relationship values in dictionaries.
  private var places: [Relationship: Int?] = [:]
  /// The locations at which the dictionaries of an object claim links, in payload order. Cached, because an object may lose many links.
  private var claims: [Owner: [Claim]] = [:]
  private var comparisons: [Pair: Bool] = [:]
  /// The objects to which each owner is linked at the end of the payload.
  private var members: [Owner: Set<UInt32>] = [:]

  private struct Owner: Hashable {
    var place: RowPlace
    var entity: Int
    var slot: Int
  }

  private struct Claim {
    /// The offset of the dictionary, and the offset of the relationship's value in it.
    var dictionary: Int
    var value: Int
  }

  /// The offsets of two values.
  private struct Pair: Hashable {
    var first: Int
    var second: Int
  }

  /// A relationship in the dictionary at an offset.
  private struct Relationship: Hashable {
    var entity: Int
    var slot: Int
    var offset: Int
  }

  /// The offsets of each object's dictionaries after the first.
  private var later: [RowPlace: [Int]] = [:]

  init(_ state: Reference<GraphState>, _ plan: Plan, _ shelf: PieceShelf, _ suspicions: Suspicions) {
    self.state = state
    self.plan = plan
    self.shelf = shelf
    self.suspicions = suspicions
  }

  mutating func add(to list: inout FaultList, _ merger: inout ObjectMerger) {
    let losses = suspicions.claims.losses
    var firsts: [RowPlace: Int] = [:]
    for touch in losses.isEmpty ? [] : Array(state.pointee.touched.elements) where touch.offset >= 0 {
      let place = RowPlace(table: Int(touch.table), row: touch.row)
      if firsts[place] == nil { firsts[place] = touch.offset }
    }
    if losses.isEmpty, suspicions.repeats.isEmpty { return }
    if !losses.isEmpty {
      later = Dictionary(grouping: suspicions.repeated, by: \.object).mapValues { $0.map(\.offset) }
    }
    let names = GraphNames(state, plan)
    for loss in losses { add(loss, &list, firsts, names, &merger) }
    for twice in suspicions.repeats { add(twice, names, &list) }
  }

  /// Adds an object that two lists or to-one relationships of the payload claim. If the first of them claims it again later, nothing is
  /// lost.
  ///
  /// - Parameter firsts: the location of the first mention of each object.
  private mutating func add(
    _ loss: LinkClaims.Loss, _ list: inout FaultList, _ firsts: [RowPlace: Int], _ names: GraphNames,
    _ merger: inout ObjectMerger
  ) {
    if let inverse = loss.inverse { return add(loss, contradictedBy: inverse, &list, firsts, names, &merger) }
    let entity = plan.entities[loss.entity]
    let slot = plan.layouts[loss.entity].slots[loss.slot]
    let target = state.row(loss.target.table, loss.target.row)
    guard !target.isDeleted, !state.row(loss.owner.table, loss.owner.row).isDeleted,
      target[slot.inverseSlot.words.cell] != UInt64(loss.owner.row) + 1,
      let first = claim(of: loss, entity, firsts, &merger)
    else { return }
    let subject = ImportFinding.Subject(entity: entity, property: entity.properties[loss.slot])
    let destination = plan.entities[slot.destination]
    let inverse = ImportFinding.Subject(entity: destination, property: destination.properties[slot.inverse])
    var fault = ImportFault(
      .lostLink(subject, inverse, names.name(loss.target.table, loss.target.row)),
      at: place(of: loss.slot, entity, inObjectAt: loss.offset) ?? loss.offset)
    let name = names.name(loss.owner.table, loss.owner.row)
    fault.notes = [ImportFault.Note(words: "'\(name)' had the object before", offset: first)]
    list.append(fault)
  }

  /// Adds an object that names a second object, if the second object names different objects. If the object itself previously had a
  /// different value, this is an update.
  private mutating func add(
    _ loss: LinkClaims.Loss, contradictedBy inverse: LinkClaims.Inverse, _ list: inout FaultList,
    _ firsts: [RowPlace: Int], _ names: GraphNames, _ merger: inout ObjectMerger
  ) {
    let (entity, other) = (plan.entities[loss.entity], plan.entities[inverse.entity])
    guard !state.row(loss.target.table, loss.target.row).isDeleted,
      !state.row(loss.owner.table, loss.owner.row).isDeleted, !isLinked(loss),
      let first = claim(of: loss, entity, firsts, &merger)
    else { return }
    let own = Owner(place: loss.target, entity: inverse.entity, slot: inverse.slot)
    let known = claims[own] ?? claims(of: own, other, firsts, &merger)
    claims[own] = known
    let value = place(of: inverse.slot, other, inObjectAt: loss.offset)
    if let claim = last(of: known, before: loss.offset), !isSame(claim.value, value) { return }
    let subject = ImportFinding.Subject(entity: other, property: other.properties[inverse.slot])
    let claimed = ImportFinding.Subject(entity: entity, property: entity.properties[loss.slot])
    let (owner, target) = (
      names.name(loss.owner.table, loss.owner.row), names.name(loss.target.table, loss.target.row)
    )
    var fault = ImportFault(
      .contradictedLink(
        subject, claimed, owner: owner, target: target, isNull: value.map { !shelf.hasValue(at: $0) } ?? false),
      at: value ?? loss.offset)
    fault.notes = [ImportFault.Note(words: "'\(owner)' has '\(target)'", offset: first)]
    list.append(fault)
  }

  /// Returns whether two values of a relationship are the same JSON. The result is cached, because a list may have lost all its members.
  private mutating func isSame(_ first: Int, _ second: Int?) -> Bool {
    guard let second else { return false }
    let pair = Pair(first: first, second: second)
    if let known = comparisons[pair] { return known }
    let isSame = shelf.json(at: first) == shelf.json(at: second)
    comparisons[pair] = isSame
    return isSame
  }

  /// Returns whether the owner that lost the link has it again at the end of the payload.
  private mutating func isLinked(_ loss: LinkClaims.Loss) -> Bool {
    let owner = Owner(place: loss.owner, entity: loss.entity, slot: loss.slot)
    if let known = members[owner] { return known.contains(loss.target.row) }
    let row = state.row(loss.owner.table, loss.owner.row)
    let slot = plan.layouts[loss.entity].slots[loss.slot]
    let found = slot.kind == .toOne ? Set([row.toOne(slot)].compactMap(\.self)) : Set(row.links(slot))
    members[owner] = found
    return found.contains(loss.target.row)
  }

  /// Returns the offset at which a dictionary of the object that lost a link claims it, or nil if the link existed before the import.
  private mutating func claim(
    of loss: LinkClaims.Loss, _ entity: EntityPlan, _ firsts: [RowPlace: Int], _ merger: inout ObjectMerger
  ) -> Int? {
    let owner = Owner(place: loss.owner, entity: entity.index, slot: loss.slot)
    let known = claims[owner] ?? claims(of: owner, entity, firsts, &merger)
    claims[owner] = known
    return last(of: known, before: loss.offset)?.value
  }

  /// Returns the last claim by a dictionary that precedes the dictionary at an offset.
  private func last(of claims: [Claim], before offset: Int) -> Claim? {
    var (low, high) = (0, claims.count)
    while low < high {
      let middle = (low + high) / 2
      if claims[middle].dictionary < offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? claims[low - 1] : nil
  }

  private mutating func claims(
    of owner: Owner, _ entity: EntityPlan, _ firsts: [RowPlace: Int], _ merger: inout ObjectMerger
  ) -> [Claim] {
    let several = merger.dictionaries(owner.place) + (later[owner.place] ?? [])
    var found: [Claim] = []
    for offset in Set(several + [firsts[owner.place]].compactMap(\.self)).sorted() {
      if let value = place(of: owner.slot, entity, inObjectAt: offset), shelf.hasValue(at: value) {
        found.append(Claim(dictionary: offset, value: value))
      }
    }
    return found
  }

  /// Returns the location of a relationship's value in a dictionary, or of the array that its key path leads through (M25). The
  /// result is cached, because a list may have lost all its members.
  private mutating func place(of slot: Int, _ entity: EntityPlan, inObjectAt offset: Int) -> Int? {
    let relationship = Relationship(entity: entity.index, slot: slot, offset: offset)
    if let known = places[relationship] { return known }
    let place =
      shelf.value(of: slot, entity, plan, inObjectAt: offset) ?? shelf.array(of: slot, entity, plan, inObjectAt: offset)
    places[relationship] = .some(place)
    return place
  }

  private func add(_ twice: Suspicions.Repeat, _ names: GraphNames, _ list: inout FaultList) {
    let field = plan.fields[twice.field]
    let entity = plan.entities[field.entity]
    let name = names.name(twice.object.table, twice.object.row)
    let subject = ImportFinding.Subject(entity: entity, property: entity.properties[field.slot])
    list.append(ImportFault(.repeatedElement(subject, name), at: twice.offset))
  }
}
