import Graft

// Changes that the import of the samples shows to be necessary.
extension ModelUpdate {
  /// Makes attributes optional if the samples lack them, and plain if the samples refute their guesses, as shown by importing the samples
  /// with the changed model.
  mutating func relax(_ samples: [ModelInference.Sample]) {
    var relaxed: Set<String> = []
    while true {
      let findings = inferred.result(of: editor.text, name: "<model>", samples).findings
      if findings.contains(where: { ModelUpdate.namesOfPrograms.contains($0.code) }) {
        return relaxAsInferred(&relaxed)
      }
      // An import reports a limited number of faults, so the next round may find more.
      let absent = findings.filter { $0.code == .missingValue }
      // An object with other keys belongs to another entity.
      let empty = Set(absent.filter { isEmptyObject($0, samples) }.compactMap { $0.subject?.entityName })
      let missing = requiredAttributes(at: Set(absent.flatMap(\.notes).compactMap(\.location?.offset)), orAllOf: empty)
      for (entity, attribute) in missing { makeOptional(attribute, of: entity) }
      var isChanged = !missing.isEmpty
      // Errors about objects that lack several keys name only the entity.
      if !isChanged {
        let lacking = Set(absent.filter { $0.subject?.propertyName == nil }.compactMap { $0.subject?.entityName })
        let count = relaxed.count
        relaxAsInferred(&relaxed, of: lacking)
        isChanged = relaxed.count > count
      }
      var seen: Set<String> = []
      for finding in findings where finding.severity == .error && finding.code != .missingValue {
        guard let entity = finding.subject?.entityName, let attribute = finding.subject?.propertyName,
          seen.insert("\(entity).\(attribute)").inserted,
          finding.code != .invalidValue || isListed(attribute, of: entity)
        else { continue }
        // Values that were accepted before are still accepted. Changes that accept more values are tried first.
        if readEmptyAsNull(attribute, of: entity, samples) || makeWider(attribute, of: entity, samples)
          || makeLenient(attribute, of: entity, samples) || makePlain(attribute, of: entity, samples)
          || makeRelationshipLenient(attribute, of: entity, samples)
        {
          isChanged = true
        }
      }
      if !isChanged { return }
    }
  }

  /// Whether the values of an attribute are listed, which may be a guess. Other rules are never guesses.
  private func isListed(_ name: String, of entityName: String) -> Bool {
    guard let entity = facts.entity(entityName) else { return false }
    let attribute = facts.lineage(entity).flatMap(\.attributes).first { $0.name == name }
    return attribute?.validation.allowedValues != nil
  }

  // MARK: Guesses

  /// The words that mark a guess in a comment, and the words that replace them.
  private static let guess = "// Guess:"
  private static let plain = "// Plain, because a later sample refutes a guess."

  /// If a comment marks an attribute as a guess, gives the attribute a plainer type with which the samples can be imported. Returns whether
  /// there is such a type. The rest of the attribute's declaration is kept; if the model would then be invalid, nothing changes.
  private mutating func makePlain(
    _ name: String, of entityName: String, _ samples: [ModelInference.Sample]
  ) -> Bool {
    guard let (_, owner, attribute) = declaration(of: name, in: entityName), attribute.type != .json else {
      return false
    }
    let bytes = Array(editor.text.utf8)
    guard let line = lineOfGuess(above: attribute, in: bytes) else { return false }
    let comment = String(decoding: bytes[line], as: UTF8.self)
    for type in comment.hasPrefix(Self.plain) ? [.json] : [plainType(of: attribute), .json] {
      var changed = editor
      change(attribute, of: owner, to: type, dropsNulls: comment.contains("means null"), &changed)
      // The comment is above everything that has changed, so its range is still valid.
      changed.replace(line, with: Self.plain)
      let text = SourceText(name: "<model>", bytes: Array(changed.text.utf8))
      guard ModelFile.read(text, transformers: .standard).model != nil,
        !isRefused(name, of: entityName, with: changed.text, samples)
      else { continue }
      editor = changed
      changes.append("'\(owner.name).\(name)' is now \(type.rawValue), because the samples refute a guess")
      return true
    }
    return false
  }

  /// Makes an attribute that is not text read empty text as null, if the samples can then be imported. Many services send empty text for a
  /// missing date or link. Returns whether the model changed.
  private mutating func readEmptyAsNull(
    _ name: String, of entityName: String, _ samples: [ModelInference.Sample]
  ) -> Bool {
    guard let (identity, owner, attribute) = declaration(of: name, in: entityName),
      ![.string, .json].contains(attribute.type), !attribute.isList, !identity.contains(name),
      case let nulls = attribute.nulls ?? model.nulls, !nulls.contains("")
    else { return false }
    let place = ["entities", owner.name, "attributes", name]
    var changed = editor
    changed.set(ModelFileKey.JSONNulls.rawValue, .array(nulls + [""]), at: place)
    if !attribute.isOptional { changed.set(ModelFileKey.optional.rawValue, true, at: place) }
    guard !isRefused(name, of: entityName, with: changed.text, samples) else { return false }
    editor = changed
    changes.append("'\(owner.name).\(name)' now reads \"\" as null")
    return true
  }

  /// Gives an attribute a type that holds all its values exactly, and more, if the samples can then be imported: a number that is whole in
  /// the first samples may have a fraction in later samples, and a link may not be a URI. Returns whether the model changed.
  private mutating func makeWider(
    _ name: String, of entityName: String, _ samples: [ModelInference.Sample]
  ) -> Bool {
    guard let (identity, owner, attribute) = declaration(of: name, in: entityName),
      attribute.transformerNames.isEmpty, !identity.contains(name)
    else { return false }
    for type in attribute.type.widerTypes {
      var changed = editor
      changed.set(type, of: name, at: ["entities", owner.name, "attributes"])
      let text = SourceText(name: "<model>", bytes: Array(changed.text.utf8))
      guard ModelFile.read(text, transformers: .standard).model != nil,
        !isRefused(name, of: entityName, with: changed.text, samples)
      else { continue }
      editor = changed
      changes.append(
        "'\(owner.name).\(name)' is now \(type.rawValue), because the samples have \(attribute.type.integerRange == nil ? "text" : "numbers") that "
          + "\(attribute.type.rawValue) cannot hold")
      return true
    }
    return false
  }

  /// Makes an attribute accept numbers in place of text and text in place of numbers, or makes a list accept a single element, if the
  /// samples can then be imported. Returns whether the model changed.
  private mutating func makeLenient(
    _ name: String, of entityName: String, _ samples: [ModelInference.Sample]
  ) -> Bool {
    guard let (identity, owner, attribute) = declaration(of: name, in: entityName), !identity.contains(name),
      attribute.transformerNames.isEmpty, attribute.type.isNumberOrText, attribute.validation.allowedValues == nil
    else { return false }
    let place = ["entities", owner.name, "attributes", name]
    var changed = editor
    if attribute.isList {
      changed.set(ModelFileKey.lenient.rawValue, true, at: place)
    } else {
      changed.set(ModelFileKey.JSONTransformerName.rawValue, "Lenient", at: place)
    }
    guard !isRefused(name, of: entityName, with: changed.text, samples) else { return false }
    editor = changed
    changes.append(
      attribute.isList
        ? "'\(owner.name).\(name)' now reads one element as a list of one"
        : "'\(owner.name).\(name)' now reads numbers, text and booleans alike (Lenient)")
    return true
  }

  /// An attribute in the changed model, the entity that declares it, and the names of the properties that identify its objects.
  private func declaration(
    of name: String, in entityName: String
  ) -> (identity: [String], owner: EntityDescription, attribute: AttributeDescription)? {
    let source = SourceText(name: "<model>", bytes: Array(editor.text.utf8))
    guard let known = ModelFile.read(source, transformers: .standard).model,
      let entity = known.entities.first(where: { $0.name == entityName }), case let facts = ModelFacts(known),
      let owner = facts.lineage(entity).first(where: { $0.attributes.contains { $0.name == name } }),
      let attribute = owner.attributes.first(where: { $0.name == name })
    else { return nil }
    let alternates = facts.lineage(entity).flatMap(\.alternateIdentities).flatMap(\.properties)
    return (facts.identity(entity).map(\.name) + alternates, owner, attribute)
  }

  /// Whether an import of the samples with a model rejects values of an attribute.
  func isRefused(
    _ name: String, of entityName: String, with text: String, _ samples: [ModelInference.Sample]
  ) -> Bool {
    inferred.result(of: text, name: "<model>", samples).findings.contains { finding in
      finding.severity == .error && finding.code != .missingValue && finding.subject?.entityName == entityName
        && finding.subject?.propertyName == name
    }
  }

  private func plainType(of attribute: AttributeDescription) -> AttributeType {
    let last = attribute.transformerNames.last
    if attribute.type == .integer64 && last.map(GuessedTransformers.contains) != true { return .integer64 }
    if ["UnixTime", "UnixTimeMilliseconds", "IntegerToBoolean"].contains(last) { return .integer64 }
    if last == nil, [.double, .decimal].contains(attribute.type) { return .json }
    return last == "ReferenceTime" ? .double : .string
  }

  private func change(
    _ attribute: AttributeDescription, of owner: EntityDescription, to type: AttributeType, dropsNulls: Bool,
    _ patch: inout ModelFilePatch
  ) {
    let outer = ["entities", owner.name, "attributes"]
    let place = outer + [attribute.name]
    if attribute.transformerNames.last.map(GuessedTransformers.contains) == true {
      let rest = attribute.transformerNames.dropLast().map { JSON.string($0) }
      if rest.isEmpty {
        patch.remove(ModelFileKey.JSONTransformerName.rawValue, at: place)
      } else {
        patch.set(ModelFileKey.JSONTransformerName.rawValue, rest.count == 1 ? rest[0] : .array(rest), at: place)
      }
    }
    if attribute.type == .string {
      patch.remove(ModelFileKey.enum.rawValue, at: place)
      patch.remove(ModelFileKey.extensible.rawValue, at: place)
    }
    if type == .json {
      patch.remove(ModelFileKey.list.rawValue, at: place)
      patch.remove(ModelFileKey.lenient.rawValue, at: place)
    }
    // Guesses read only empty text and false as null. Other values were added later.
    let nulls = (attribute.nulls ?? []).filter { $0 != "" && $0 != false }
    if dropsNulls, nulls.isEmpty {
      patch.remove(ModelFileKey.JSONNulls.rawValue, at: place)
    } else if dropsNulls, nulls != attribute.nulls {
      patch.set(ModelFileKey.JSONNulls.rawValue, .array(nulls), at: place)
    }
    patch.set(type, of: attribute.name, at: outer)
  }

  /// The comment that marks an attribute as a guess, in one of the lines directly above it; nil if there is none.
  private func lineOfGuess(above attribute: AttributeDescription, in bytes: [UInt8]) -> Range<Int>? {
    func start(ofLineBefore end: Int) -> Int {
      bytes[..<max(end, 0)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }
    let name = attribute.source.name.offset
    var end = start(ofLineBefore: name)
    // If a line has several attributes, nothing shows which of them the comment belongs to.
    guard bytes[end..<name].allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return nil }
    while end > 0 {
      let first = start(ofLineBefore: end - 1)
      let line = bytes[first..<end].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      guard line.starts(with: "//".utf8) else { return nil }
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(Self.guess) || text.hasPrefix(Self.plain) {
        return line.startIndex..<line.startIndex + line.prefix { $0 != 0x0A && $0 != 0x0D }.count
      }
      end = first
    }
    return nil
  }

  // MARK: Absent values

  /// Whether an error is about an object without members.
  private func isEmptyObject(_ finding: Diagnostic, _ samples: [ModelInference.Sample]) -> Bool {
    guard finding.subject?.propertyName == nil, let place = finding.location,
      let bytes = samples.first(where: { $0.source.name == place.file })?.source.bytes, place.offset < bytes.count
    else { return false }
    return bytes[place.offset...].lazy.filter { $0 > 0x20 }.prefix(2).elementsEqual("{}".utf8)
  }

  /// The attributes that errors of an import point to in the model file, and all attributes of some entities. An identity attribute is
  /// included only if most objects of the samples have it.
  ///
  /// - Parameter empty: the entities that have empty objects in the samples.
  private func requiredAttributes(
    at offsets: Set<Int>, orAllOf empty: Set<String>
  ) -> [(entity: String, attribute: String)] {
    let source = SourceText(name: "<model>", bytes: Array(editor.text.utf8))
    guard let model = ModelFile.read(source, transformers: .standard).model else { return [] }
    let facts = ModelFacts(model)
    return model.entities.flatMap { entity in
      let identity = facts.family(entity).flatMap(\.identityAttributes)
      let isEmpty = empty.contains(entity.name)
      return entity.attributes.filter { attribute in
        let places = [attribute.source.location(), attribute.source.location(of: .optional)].compactMap(\.?.offset)
        if identity.contains(attribute.name) {
          return places.contains(where: offsets.contains) && identity.count == 1
            && isOptionalIdentity(attribute, of: entity.name)
        }
        return places.contains(where: offsets.contains)
          || isEmpty && !attribute.isOptional && attribute.defaultValue == nil
      }.map { (entity.name, $0.name) }
    }
  }

  /// Whether the inferred model has the same identity attribute, and it is optional.
  private func isOptionalIdentity(_ attribute: AttributeDescription, of entityName: String) -> Bool {
    pairs.contains { pair in
      guard pair.known == entityName, let found = entity(pair.inferred), found.identityAttributes.count == 1,
        let own = found.attributes.first(where: { $0.name == found.identityAttributes[0] })
      else { return false }
      return own.isOptional && own.keyPath == attribute.keyPath
    }
  }

  /// Does the same without an import, because only the user's program has transformers or mappers that the model names, or because an error
  /// does not say which attributes are missing.
  ///
  /// - Parameters:
  ///   - seen: the attributes that were made optional.
  ///   - names: the entities whose objects lack values; nil for all.
  private mutating func relaxAsInferred(_ seen: inout Set<String>, of names: Set<String>? = nil) {
    for pair in pairs where names?.contains(pair.known) ?? true {
      guard let known = facts.entity(pair.known), let entity = entity(pair.inferred) else { continue }
      let identity = Set(facts.identity(known).map(\.name))
      for owner in facts.lineage(known) {
        for attribute in owner.attributes
        where !attribute.isOptional && attribute.defaultValue == nil && !identity.contains(attribute.name) {
          guard let path = attribute.keyPath else { continue }
          let paths = [path] + attribute.keyPathAliases
          let found = entity.attributes.first { $0.keyPath.map(paths.contains) ?? false }
          let isInside = entity.relationships.contains { $0.keyPath.map { path.keys.starts(with: $0.keys) } ?? false }
          let isAlwaysThere =
            found.map { inferred.origins.properties["\(entity.name).\($0.name)"]?.isAlwaysThere == true } ?? isInside
          guard !isAlwaysThere, seen.insert("\(owner.name).\(attribute.name)").inserted else {
            continue
          }
          makeOptional(attribute.name, of: owner.name)
        }
      }
    }
  }

  private mutating func makeOptional(_ attribute: String, of entity: String) {
    editor.set("optional", true, at: ["entities", entity, "attributes", attribute])
    let isIdentity = facts.entity(entity).map { facts.identity($0).contains { $0.name == attribute } } ?? false
    changes.append(
      "'\(entity).\(attribute)' is now optional"
        + (isIdentity ? ": each import again inserts the objects that have none" : ""))
  }
}

extension AttributeType {
  /// Types that hold all values of this type exactly, and other values. A double comes last: it rounds large integers.
  fileprivate var widerTypes: [AttributeType] {
    if integerRange != nil { return [.decimal, .double] }
    return [.uri, .uuid, .date].contains(self) ? [.string] : []
  }

  /// Whether services may write values of the type as numbers in one place and as text in another.
  fileprivate var isNumberOrText: Bool {
    integerRange != nil || [.string, .decimal, .double, .float, .boolean, .uri].contains(self)
  }
}
