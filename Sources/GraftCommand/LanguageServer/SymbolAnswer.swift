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

  /// Where the name is declared, or null.
  var definition: JSON {
    let declaration = mentions.first { $0.isDeclaration && $0.symbol == (mention ?? reading)?.symbol }
    return declaration.map { document.location($0.range) } ?? .null
  }

  /// Every mention of the name in the file.
  func references(includesDeclaration: Bool) -> JSON {
    .array(same.filter { includesDeclaration || !$0.isDeclaration }.map { document.location($0.range) })
  }

  /// The name at the cursor, if it can be renamed; otherwise null.
  var renamedRange: JSON {
    guard let mention else { return .null }
    return ["range": document.lines.range(mention.range), "placeholder": .string(mention.symbol.name)]
  }

  /// Returns the edits that rename every mention of the name.
  func rename(to name: String) throws(ServerError) -> JSON {
    guard let symbol = mention?.symbol else {
      throw ServerError(.requestFailed, "there is no entity, attribute or relationship here")
    }
    guard document.outline.isCertain else {
      throw ServerError(.requestFailed, "the file has syntax errors, so mentions could be missed; fix them first")
    }
    if let reason = reason(against: name, for: symbol) { throw ServerError(.requestFailed, reason) }
    let literal = JSON.string(name).description.dropFirst().dropLast()
    return document.workspaceEdit(same.map { document.edit($0.range, String(literal)) })
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
      return outline.entity(name) == nil ? nil : "there is an entity named '\(name)' already"
    case .property(_, of: let owner):
      if let fault = NameRules.fault(inPropertyName: name) {
        return "'\(name)' cannot be the name of a property: it \(fault)"
      }
      let related = outline.lineage(owner) + outline.family(owner)
      let other = related.first { ($0.attributes + $0.relationships).contains { $0.name == name } }
      return other.map { "entity '\($0.name)' has a property named '\(name)' already" }
    }
  }
}
