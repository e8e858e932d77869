import Graft

/// Recognizes, by their keys, the parts of responses that are not data.
///
///     {"totalCount": 40, "pageInfo": {"endCursor": "b"}, "nodes": [...]}         a page: a list, and remarks about it
struct PageForm {
  let table: ShapeTable

  init(_ table: ShapeTable) { self.table = table }

  /// Whether scalars are remarks of a page, such as the number of objects.
  static func areRemarks(_ keys: [String]) -> Bool {
    let others = keys.filter { !isRemark($0) }
    return others.isEmpty
      || others.count < keys.count && others.allSatisfy(mayBeRemark)
  }

  /// Whether a scalar may be a remark, judged by its key alone.
  static func mayBeRemark(_ key: String) -> Bool {
    isRemark(key) || ResponseWords.uncertainRemarks.contains(KeyNames.lowercaseWords(key).joined())
  }

  static func isRemark(_ key: String) -> Bool {
    if key.hasPrefix("@odata.") || key.hasPrefix("hydra:") { return true }
    let words = KeyNames.lowercaseWords(key)
    return ResponseWords.remarks.contains(words.joined())
      || words.count > 1 && words.last.map(ResponseWords.places.contains) == true
  }

  /// Whether an object has only words of responses as keys, and objects with such keys.
  func isAboutResponse(_ shape: SampleShape) -> Bool {
    table.members(shape).allSatisfy { member in
      let key = KeyNames.lowercaseWords(member.key).joined()
      return ResponseWords.remarks.contains(key) || ResponseWords.descriptions.contains(key)
        || member.objects > 0 && member.arrays == 0 && isAboutResponse(member)
    }
  }

  /// Whether an object is described as a list, and has no values of its own: `"kind": "PodList"`, `"object": "list"`. A price list with a
  /// currency is an object.
  func isListing(_ shape: SampleShape) -> Bool {
    let members = table.members(shape)
    guard !members.contains(where: { IdentityKeys.isGeneric($0.key) || ["name", "title"].contains($0.key) }) else {
      return false
    }
    guard members.allSatisfy({ $0.scalars == 0 || Self.mayBeRemark($0.key) }) else { return false }
    return members.contains { member in
      let (words, texts) = (["kind", "object", "type", "@type"], member.texts)
      return words.contains(member.key) && texts.count > 0 && texts.count == member.present
        && texts.distinct.allSatisfy { ["list", "listing"].contains(KeyNames.lowercaseWords($0).last) }
    }
  }

  /// Whether a document contains no object of an entity: its lists are empty, and its other members do not describe an object.
  ///
  /// - Parameter entity: the keys of the entity; nil if it is not known, so that everything else must be remarks.
  func isEmpty(_ shape: SampleShape, of entity: KnownKeys?) -> Bool {
    if shape.objects == 0 { return shape.scalars == 0 && (shape.element.map { table[$0].present == 0 } ?? true) }
    let members = table.members(shape)
    guard shape.arrays == 0, !members.contains(where: hasObjectsInLists) else { return false }
    if let entity {
      return (!entity.describe(members.map(\.key)) || isListing(shape)) && members.contains { $0.emptyArrays > 0 }
    }
    return areRemarksAboutNothing(members) && members.contains { $0.emptyArrays > 0 || $0.objects > 0 }
  }

  private func areRemarksAboutNothing(_ members: [SampleShape]) -> Bool {
    let scalars = members.filter { $0.objects == 0 && $0.arrays == 0 }
    let parts = members.filter { $0.objects > 0 && !ResponseWords.descriptions.contains($0.key.lowercased()) }
    return Self.areRemarks(scalars.map(\.key)) && parts.allSatisfy { areRemarksAboutNothing(table.members($0)) }
  }

  private func hasObjectsInLists(_ member: SampleShape) -> Bool {
    if ResponseWords.descriptions.contains(member.key.lowercased()) { return false }
    if let element = member.element.map({ table[$0] }), element.objects > 0 { return true }
    return member.objects > 0 && table.members(member).contains(where: hasObjectsInLists)
  }

  /// Whether an object is a page: a list of objects, and only remarks about it, one of which shows that there may be other pages. A cart
  /// also has a total.
  func isPage(_ shape: SampleShape) -> Bool {
    let members = table.members(shape)
    let lists = members.filter { $0.arrays > 0 }
    guard shape.objects > 0, lists.count == 1, lists[0].element.map({ table[$0].objects > 0 }) == true else {
      return false
    }
    let others = members.filter { $0 !== lists[0] }
    let (objects, scalars) = (others.filter { $0.objects > 0 }, others.filter { $0.objects == 0 })
    return Self.areRemarks(scalars.map(\.key)) && others.contains(where: leadsToOthers)
      && objects.allSatisfy { ResponseWords.descriptions.contains($0.key.lowercased()) || isAboutResponse($0) }
  }

  /// How much of a list the samples have, judged by the remarks next to it.
  enum Extent {
    /// The whole list: no remark mentions pages.
    case whole
    /// Perhaps a page of the list.
    case perhapsPage
    /// A page of the list: the remarks of a sample lead to another page.
    case page
  }

  /// Returns how much of a list the samples have.
  ///
  /// - Parameter isWhole: whether the object with the list is of an entity itself, and may have a `page` or an `offset` of its own.
  func extent(of list: SampleShape, in shape: SampleShape, isWhole: Bool) -> Extent {
    let members = table.members(shape)
    let lists = members.filter { $0.arrays > 0 && $0.element.map { table[$0].objects > 0 } == true }
    guard list.arrays > 0, lists.count == 1, lists[0] === list else { return .whole }
    let isCertain = members.contains { member in
      member.arrays == 0 && ResponseWords.certain.contains(KeyNames.lowercaseWords(member.key).joined())
    }
    guard isCertain || !isWhole && isPage(shape) else { return .whole }
    let remarks = members.flatMap { $0.objects > 0 && $0.arrays == 0 ? table.members($0) : [$0] }
    func named(_ words: Set<String>) -> [SampleShape] {
      remarks.filter { words.contains(KeyNames.lowercaseWords($0.key).joined()) }
    }
    let decisions = named(ResponseWords.decisions).filter { $0.booleans > 0 }
    if !decisions.isEmpty { return decisions.contains { $0.booleans > $0.falses } ? .page : .perhapsPage }
    return named(ResponseWords.links).contains { $0.fullScalars > 0 } ? .page : .perhapsPage
  }

  /// Whether a remark leads to other pages, or shows that there are some.
  func leadsToOthers(_ remark: SampleShape) -> Bool {
    let words = KeyNames.lowercaseWords(remark.key)
    return ResponseWords.others.contains(words.joined()) || words.last.map(ResponseWords.places.contains) == true
      || remark.objects > 0 && table.members(remark).contains { leadsToOthers($0) }
  }
}
