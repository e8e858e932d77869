import Graft

// Changes that the import of the samples shows to be necessary.
extension ModelUpdate {
  /// Makes the attributes optional that the samples lack, and those plain whose guesses the samples refute, as importing them with
  /// the changed model shows.
  mutating func relax(_ samples: [ModelInference.Sample]) {
    while true {
      let findings = inferred.result(of: editor.text, name: "<model>", samples).findings
      if findings.contains(where: { ModelUpdate.namesOfPrograms.contains($0.code) }) { return relaxAsInferred() }
      // An import reports only so many faults: the next round may find others.
      let missing = attributes(
        at: Set(findings.filter { $0.code == .missingValue }.flatMap(\.notes).compactMap(\.location?.offset)))
      for (entity, attribute) in missing { makeOptional(attribute, of: entity) }
      var isChanged = !missing.isEmpty
      var seen: Set<String> = []
      for finding in findings where finding.severity == .error && finding.code != .missingValue {
        guard let entity = finding.subject?.entityName, let attribute = finding.subject?.propertyName,
          seen.insert("\(entity).\(attribute)").inserted
        else { continue }
        if makePlain(attribute, of: entity) { isChanged = true }
      }
      if !isChanged { return }
    }
  }

  // MARK: Guesses

  /// The words with which comments mark guesses, and those that replace them.
  private static let guess = "// Guess:"
  private static let plain = "// Plain, because a later sample refutes a guess."

  /// Gives an attribute whose comment marks a guess a plainer type. Returns whether it has one.
  private mutating func makePlain(_ name: String, of entityName: String) -> Bool {
    let source = SourceText(name: "<model>", bytes: Array(editor.text.utf8))
    guard let known = ModelFile.read(source, transformers: .standard).model,
      let entity = known.entities.first(where: { $0.name == entityName }),
      let owner = ModelFacts(known).lineage(entity).first(where: { $0.attributes.contains { $0.name == name } }),
      var attribute = owner.attributes.first(where: { $0.name == name }),
      let comment = comment(above: attribute, in: source.bytes)
    else { return false }
    let text = String(decoding: source.bytes[comment], as: UTF8.self)
    let isRefuted = text.contains(Self.plain)
    guard text.contains(Self.guess) || isRefuted, attribute.type != .json else { return false }
    let readsNumbers =
      attribute.type == .integer64 && attribute.transformerNames.isEmpty
      || ["UnixTime", "UnixTimeMilliseconds", "IntegerToBoolean"].contains(attribute.transformerName)
    let readsFractions = attribute.transformerName == "ReferenceTime"
    attribute.type = isRefuted ? .json : readsNumbers ? .integer64 : readsFractions ? .double : .string
    attribute.transformerNames = []
    attribute.validation.allowedValues = nil
    attribute.nulls = nil
    let indent = text.prefix { $0 == " " || $0 == "\t" }
    let bytes =
      source.bytes[..<comment.lowerBound] + Array("\(indent)\(Self.plain)\n".utf8) + source.bytes[comment.upperBound...]
    guard let changed = try? ModelFilePatch(SourceText(name: "<model>", bytes: Array(bytes))) else { return false }
    editor = changed
    editor.set(
      name, ModelFileWriter.json(of: attribute, model.keyStrategy), at: ["entities", owner.name, "attributes"])
    changes.append("'\(owner.name).\(name)' is now \(attribute.type.rawValue), because the samples refute a guess")
    return true
  }

  /// The lines of the comment directly above an attribute; nil if there is none.
  private func comment(above attribute: AttributeDescription, in bytes: [UInt8]) -> Range<Int>? {
    func start(ofLineBefore end: Int) -> Int {
      bytes[..<max(end, 0)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }
    let end = start(ofLineBefore: attribute.source.name.offset)
    var first = end
    while first > 0 {
      let line = start(ofLineBefore: first - 1)
      let text = bytes[line..<first].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      guard text.starts(with: "//".utf8) else { break }
      first = line
    }
    return first < end ? first..<end : nil
  }

  // MARK: Absent values

  /// The attributes that errors of an import point to in the model file.
  private func attributes(at offsets: Set<Int>) -> [(entity: String, attribute: String)] {
    let source = SourceText(name: "<model>", bytes: Array(editor.text.utf8))
    let entities = ModelFile.read(source, transformers: .standard).model?.entities ?? []
    return entities.flatMap { entity in
      entity.attributes.filter { attribute in
        [attribute.source.location(), attribute.source.location(of: .optional)].compactMap(\.?.offset)
          .contains(where: offsets.contains)
      }.map { (entity.name, $0.name) }
    }
  }

  /// The same without an import, because only the user's program has transformers or mappers that the model names.
  private mutating func relaxAsInferred() {
    var seen: Set<String> = []
    for pair in pairs {
      guard let known = facts.entity(pair.known), let entity = entity(pair.inferred) else { continue }
      let identity = Set(facts.identity(known).map(\.name))
      for owner in facts.lineage(known) {
        for attribute in owner.attributes
        where !attribute.isOptional && attribute.defaultValue == nil && !identity.contains(attribute.name) {
          guard let path = attribute.keyPath else { continue }
          let paths = [path] + attribute.keyPathAliases
          let found = entity.attributes.first { $0.keyPath.map(paths.contains) ?? false }
          let isInside = entity.relationships.contains { $0.keyPath.map { path.keys.starts(with: $0.keys) } ?? false }
          guard found?.isOptional ?? !isInside, seen.insert("\(owner.name).\(attribute.name)").inserted else {
            continue
          }
          makeOptional(attribute.name, of: owner.name)
        }
      }
    }
  }

  private mutating func makeOptional(_ attribute: String, of entity: String) {
    editor.set("optional", true, at: ["entities", entity, "attributes", attribute])
    changes.append("'\(entity).\(attribute)' is now optional")
  }
}
