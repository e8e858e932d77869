import Graft

/// Finds and renames entities, attributes and relationships.
struct SymbolAnswer {
  private let document: ModelDocument
  private let mentions: [ModelMention]
  /// The name at the cursor.
  private let mention: ModelMention?
  /// The attribute whose value the key path at the cursor reads.
  private let reading: ModelMention?

  init(_ document: ModelDocument, _ offset: Int) {
    self.document = document
    mentions = document.outline.mentions
    func atCursor(_ mentions: [ModelMention]) -> ModelMention? {
      mentions.first { $0.range.contains(offset) } ?? mentions.first { $0.range.upperBound == offset }
    }
    mention = atCursor(mentions)
    reading = mention == nil ? atCursor(document.outline.readings) : nil
  }

  /// The location of the declaration of the name, or null.
  var definition: JSON {
    let declaration = mentions.first { $0.isDeclaration && $0.symbol == (mention ?? reading)?.symbol }
    return declaration.map { document.location($0.range) } ?? .null
  }

  /// Returns every mention of the name in the file.
  func references(includesDeclaration: Bool) -> JSON {
    .array(same.filter { includesDeclaration || !$0.isDeclaration }.map { document.location($0.range) })
  }

  /// The name at the cursor, if it can be renamed; otherwise null.
  var renamedRange: JSON {
    guard let mention else { return .null }
    return ["range": document.lines.range(mention.range), "placeholder": .string(mention.symbol.name)]
  }

  /// Returns the edits that rename every mention of the name.
  ///
  /// - Parameter asksAboutEdits: whether the editor can ask the user about edits that preserve things that depend on the old name:
  ///   the key path, if it comes from the model's strategy, and the data of stores.
  func rename(to name: String, asksAboutEdits: Bool) throws(ServerError) -> JSON {
    guard let symbol = mention?.symbol else {
      throw ServerError(.requestFailed, "there is no entity, attribute or relationship here")
    }
    guard document.outline.isCertain else {
      throw ServerError(.requestFailed, "the file has syntax errors, so mentions could be missed; fix them first")
    }
    if let reason = reason(against: name, for: symbol) { throw ServerError(.requestFailed, reason) }
    let literal = JSON.string(name).description.dropFirst().dropLast()
    let edits = same.map { document.edit($0.range, String(literal)) }
    guard asksAboutEdits, name != symbol.name else { return document.workspaceEdit(edits) }
    let offers = offers(keeping: symbol)
    return [
      "documentChanges": [
        [
          "textDocument": ["uri": .string(document.uri), "version": document.version ?? .null],
          "edits": .array(edits + offers.map(\.edit)),
        ]
      ],
      "changeAnnotations": .object(
        JSONObject(
          offers.map { (key: $0.id, value: ["label": .string($0.label), "needsConfirmation": true] as JSON) })),
    ]
  }

  /// An edit that the user may accept.
  private struct Offer {
    var id: String
    var label: String
    var edit: JSON
  }

  /// Returns the members that preserve things that depend on the name of a symbol.
  private func offers(keeping symbol: ModelSymbol) -> [Offer] {
    var members: [(key: ModelFileKey, value: String, label: String)] = []
    let declaration: ModelOutline.Declaration
    switch symbol {
    case .entity(let name):
      guard let entity = document.outline.entity(name) else { return [] }
      declaration = entity.declaration
    case .property(let name, of: let owner):
      let entity = document.outline.entity(owner)
      guard let property = entity.map({ $0.attributes + $0.relationships })?.first(where: { $0.name == name }) else {
        return []
      }
      declaration = property.declaration
      if property.hasKeyPathOfStrategy, let path = property.keyPath {
        members.append((.JSONKeyPath, path, "Keep the key path '\(path)'"))
      }
    }
    members.append((.renamedFrom, symbol.name, "Keep the data of stores: 'renamedFrom' is '\(symbol.name)'"))
    members.removeAll { declaration.keys.contains($0.key.rawValue) }
    if let names = declaration.formerNames {
      return offers(adding: members, to: declaration) + [offer(adding: symbol.name, to: names)].compactMap(\.self)
    }
    return offers(adding: members, to: declaration)
  }

  /// Returns the offer to add a former name to the names that a declaration has: a single name, or several in an array.
  private func offer(adding name: String, to names: Range<Int>) -> Offer? {
    let (text, new) = (document.text(names), JSON.string(name).description)
    let label = "Keep the data of stores: 'renamedFrom' also has '\(name)'"
    guard text.hasPrefix("[") else { return offer("renamedFrom", label, names, "[\(new), \(text)]") }
    let isEmpty = text.dropFirst().allSatisfy { $0.isWhitespace || $0 == "]" }
    let start = names.lowerBound + 1
    return offer("renamedFrom", label, start..<start, isEmpty ? new : new + ", ")
  }

  private func offers(
    adding members: [(key: ModelFileKey, value: String, label: String)], to declaration: ModelOutline.Declaration
  ) -> [Offer] {
    if members.isEmpty { return [] }
    let texts = members.map { "\(JSON.string($0.key.rawValue)): \(JSON.string($0.value))" }
    let value = document.text(declaration.value)
    if !value.hasPrefix("{") {
      // A type alone becomes an object with all the members.
      let text = "{ \"type\": \(value), \(texts.joined(separator: ", ")) }"
      let label = members.map(\.label).joined(separator: "; ")
      return [offer("declaration", label, declaration.value, text)].compactMap(\.self)
    }
    let place = declaration.lastMemberEnd ?? declaration.value.lowerBound + 1
    return zip(members, texts).compactMap { member, text in
      let isFirst = declaration.lastMemberEnd == nil && member.key == members.first?.key
      return offer(member.key.rawValue, member.label, place..<place, isFirst ? text : ", " + text)
    }
  }

  private func offer(_ id: String, _ label: String, _ range: Range<Int>, _ text: String) -> Offer? {
    guard var edit = document.edit(range, text).objectValue else { return nil }
    edit["annotationId"] = .string(id)
    return Offer(id: id, label: label, edit: .object(edit))
  }

  private var same: [ModelMention] { mentions.filter { $0.symbol == mention?.symbol } }

  /// Returns the reason why a symbol cannot have a name, or nil.
  private func reason(against name: String, for symbol: ModelSymbol) -> String? {
    guard name != symbol.name else { return nil }
    let outline = document.outline
    switch symbol {
    case .entity:
      if let fault = NameRules.fault(inEntityName: name) {
        return "'\(name)' cannot be the name of an entity: it \(fault)"
      }
      return outline.entity(name) == nil ? nil : "there is already an entity named '\(name)'"
    case .property(_, of: let owner):
      if let fault = NameRules.fault(inPropertyName: name) {
        return "'\(name)' cannot be the name of a property: it \(fault)"
      }
      if name.utf8.contains(where: { $0 <= 0x20 }), same.contains(where: { outline.isInText($0) }) {
        return "'\(name)' has a space, which ends a name in a string of several names; write them as an array first"
      }
      let related = outline.lineage(owner) + outline.family(owner)
      let other = related.first { ($0.attributes + $0.relationships).contains { $0.name == name } }
      return other.map { "entity '\($0.name)' already has a property named '\(name)'" }
    }
  }
}
