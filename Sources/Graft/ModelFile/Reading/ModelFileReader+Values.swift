// The types of values. Each function reports a value that does not fit, and then returns nil.
extension ModelFileReader {
  func report(
    _ finding: ModelFinding, at range: SourceRange, near candidates: @autoclosure () -> [String] = [],
    notes: [ModelFindings.Note] = []
  ) {
    findings.report(finding, at: SourcePlace(text: text, range: range), near: candidates(), notes: notes)
  }

  /// Reports a value of the wrong JSON type.
  ///
  /// - Parameter meant: the text of the value that is certainly intended.
  func reportType(
    _ expected: String, _ key: ModelFileKey, _ owner: FileOwner, _ node: ModelFileNode, meant: String? = nil
  ) {
    let finding = ModelFinding.wrongType("\(expected) for \(key.quoted) of \(owner)", found: node)
    let edit = meant.map { SourceEdit(replacing: node.range, with: $0) }
    report(edit.map { finding.fixed(by: $0) } ?? finding, at: node.range)
  }

  /// Returns the legal keys of an object with their values, in the order of the file.
  func fields(of node: ModelFileNode, _ owner: FileOwner) -> [(
    key: ModelFileKey, value: ModelFileNode, keyRange: SourceRange
  )] {
    guard let members = node.members else {
      report(.wrongType("an object for \(owner)", found: node), at: node.range)
      return []
    }
    var fields: [(key: ModelFileKey, value: ModelFileNode, keyRange: SourceRange)] = []
    fields.reserveCapacity(members.count)
    for member in unique(members) {
      if let key = owner.level.key(member.key) {
        fields.append((key, member.value, member.keyRange))
      } else {
        let isDestination = owner.level == .relationship && member.key == ModelFileKey.type.rawValue
        let finding =
          isDestination
          ? ModelFinding.typeOfRelationship(in: owner.description)
          : foreignKey(member, owner)
            ?? ModelFinding.unknownKey(member.key, in: owner.description, home: .home(of: member.key))
        report(
          fixable(finding, member, in: members, owner.level), at: member.keyRange,
          near: owner.level.fields.filter { $0.replacement == nil }.map(\.key.rawValue))
      }
    }
    return fields
  }

  /// Returns a finding about an unknown key, which a suggested key may replace if its value fits and the key is not already present.
  private func fixable(
    _ finding: ModelFinding, _ member: ModelFileMember, in members: [ModelFileMember], _ level: ModelFileLevel
  ) -> ModelFinding {
    var finding = finding
    let isElsewhere = finding.suggestion == nil && ModelFileLevel.home(of: member.key) != nil
    finding.acceptsName = { suggestion in
      guard !isElsewhere, let field = level.fields.first(where: { $0.key.rawValue == suggestion }) else { return false }
      return field.kind.fits(member.value) && !members.contains { $0.key == suggestion }
    }
    return finding
  }

  /// Reports a missing required key, unless a similar key has already been reported.
  func reportMissing(_ key: ModelFileKey, in node: ModelFileNode, _ owner: FileOwner, at range: SourceRange) {
    let legal = owner.level.keys.map(\.rawValue)
    let isMisspelt = (node.members ?? []).prefix(20).contains { member in
      owner.level.key(member.key) == nil
        && (Suggestion.nearest(to: member.key, among: legal) == key.rawValue
          || key == .destination && member.key == ModelFileKey.type.rawValue
          || foreignKey(member, owner)?.suggestion == key.rawValue)
    }
    guard !isMisspelt, let field = owner.level.fields.first(where: { $0.key == key }) else { return }
    report(.missingKey(field, in: owner.description), at: range)
  }

  /// Returns the members of an object whose keys are names chosen by the author.
  func members(
    of node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner, _ expected: String
  ) -> [ModelFileMember] {
    guard let members = node.members else {
      reportType(expected, key, owner, node)
      return []
    }
    return unique(members)
  }

  /// Returns the members, except members that repeat a key, which are reported (M9).
  func unique(_ members: [ModelFileMember]) -> [ModelFileMember] {
    let repeats = members.repeats
    guard !repeats.isEmpty else { return members }
    for (first, second) in repeats {
      report(
        .duplicateKey(members[second].key), at: members[second].keyRange,
        notes: [.init("it is given here first", range: members[first].keyRange)])
    }
    let skipped = Set(repeats.map(\.second))
    return members.indices.filter { !skipped.contains($0) }.map { members[$0] }
  }

  func string(_ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner) -> String? {
    if case .string(let text) = node.kind { return text }
    reportType("a string", key, owner, node)
    return nil
  }

  /// Reads an array of strings, or a single string if the key allows it.
  func texts(
    _ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner, orOne: Bool = true,
    _ source: inout DescriptionSource
  ) -> [String] {
    if orOne, let text = node.text { return [text] }
    guard let elements = node.elements else {
      reportType(orOne ? "a string, or an array of strings," : "an array of strings", key, owner, node)
      return []
    }
    var texts: [String] = []
    for element in elements {
      guard let text = element.text else {
        reportType("a string", key, owner, element)
        continue
      }
      source.add(key, element: texts.count, element.range)
      texts.append(text)
    }
    return texts
  }

  func boolean(_ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner) -> Bool? {
    if case .boolean(let value) = node.kind { return value }
    reportType(
      "true or false", key, owner, node, meant: node.text.flatMap { ["true", "false"].contains($0) ? $0 : nil })
    return nil
  }

  /// Reads a length or a count.
  func count(_ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner) -> Int? {
    if case .number(let text) = node.kind, let value = JSONNumber(uncheckedText: text).int64.flatMap(Int.init(exactly:))
    {
      return value
    }
    let meant = node.text.flatMap { text in JSONNumber(text)?.int64.map { _ in text } }
    reportType("an integer", key, owner, node, meant: meant)
    return nil
  }

  /// Reads a word of an enumeration.
  ///
  /// - Parameter meaning: returns the word that an unknown word probably means, for the suggestion.
  func word<Word: ModelFileWord>(
    _ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner, meaning: (String) -> Word? = { _ in nil }
  ) -> Word? {
    guard let text = string(node, key, owner) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let legal = Word.allCases.map(\.rawValue)
    var finding = ModelFinding.unknownWord(text, for: key, in: owner.description)
    finding.suggestion = meaning(text)?.rawValue
    report(finding, at: node.range, near: legal)
    return nil
  }

  func userInfo(_ node: ModelFileNode, _ owner: FileOwner) -> [String: JSON] {
    var info: [String: JSON] = [:]
    for member in members(of: node, .userInfo, owner, "an object") {
      if let reason = NameRules.fault(inUserInfoKey: member.key) {
        report(.badName(member.key, of: "an entry of 'userInfo'", reason), at: member.keyRange)
      } else {
        info[member.key] = json(member.value)
      }
    }
    return info
  }

  /// Reads any value. Duplicate keys in it are reported (D8).
  func json(_ node: ModelFileNode) -> JSON {
    switch node.kind {
    case .array(let elements): .array(elements.map { json($0) })
    case .object(let members):
      .object(JSONObject(uncheckedMembers: unique(members).map { (key: $0.key, value: json($0.value)) }))
    default: node.json
    }
  }
}
