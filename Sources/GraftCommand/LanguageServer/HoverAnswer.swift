import Graft

/// Explains the key, word or name under the pointer.
struct HoverAnswer {
  private let document: ModelDocument
  private let offset: Int

  init(_ document: ModelDocument, _ offset: Int) {
    self.document = document
    self.offset = offset
  }

  /// The explanation as Markdown, or null.
  var json: JSON {
    guard let cursor = TextCursor(document.bytes, at: offset), let token = cursor.token, !cursor.isInComment else {
      return .null
    }
    let mentions = document.outline.mentions + document.outline.readings
    let mention = mentions.first { $0.range.contains(offset) || $0.range.upperBound == offset }
    guard let text = mention.flatMap({ text($0.symbol) }) ?? text(token, cursor) else { return .null }
    return [
      "contents": ["kind": "markdown", "value": .string(text)],
      "range": document.lines.range(mention?.range ?? token.range),
    ]
  }

  /// Explains a key or a word.
  private func text(_ token: TextCursor.Token, _ cursor: TextCursor) -> String? {
    let role = cursor.role == .element ? .value : cursor.role
    switch (role, ModelPlace(cursor.path)) {
    case (.key, .level(let level, _, _)):
      return level.fields.first { $0.key.rawValue == token.text }
        .map { "**\($0.key.rawValue)** of \(level.nounPhrase)\n\n\(FieldText.markdown($0))" }
    case (.value, .level(let level, _, _)):
      guard let field = level.fields.first(where: { $0.key.rawValue == cursor.key }) else { return nil }
      return text(of: token.text, field, level).map { "**\(field.key.rawValue)**: `\(token.text)`\n\n\($0)" }
    case (.value, .names(of: .attribute, _)):
      return AttributeType(rawValue: token.text).map { "**type**: `\($0.rawValue)`\n\n\($0.summary)" }
    default: return nil
    }
  }

  /// Explains a value that is a word: one of a key's words, a word of key paths, or a built-in transformer.
  private func text(of value: String, _ field: ModelFileField, _ level: ModelFileLevel) -> String? {
    switch field.kind {
    case .word(let words, _): words.first { $0.word == value }?.summary
    case .keyPath, .keyPaths, .identifierKeyPath: KeyPathWord.first(of: value, at: level)?.summary
    case .transformerName: TransformerRegistry.standard.valueTransformer(named: value)?.builtIn?.summary
    default: nil
    }
  }

  /// Describes an entity or property.
  private func text(_ symbol: ModelSymbol) -> String? {
    let outline = document.outline
    switch symbol {
    case .entity(let name):
      guard let entity = outline.entity(name) else { return nil }
      var lines = ["**\(name)**: \(entity.isAbstract ? "abstract entity" : "entity")"]
      if let parent = entity.parent { lines[0] += " < \(parent.text)" }
      if let documentation = entity.documentation { lines.append(documentation) }
      let identity = outline.lineage(name).reversed().flatMap(\.identity).map { "`\($0.text)`" }
      if !identity.isEmpty { lines.append("Identity: \(identity.joined(separator: ", "))") }
      return lines.joined(separator: "\n\n")
    case .property(let name, of: let owner):
      guard let entity = outline.entity(owner) else { return nil }
      if let attribute = entity.attributes.first(where: { $0.name == name }) {
        let type = attribute.type.map { ": \($0)" } ?? ""
        return joined("**\(owner).\(name)**\(type)", attribute)
      }
      guard let relationship = entity.relationships.first(where: { $0.name == name }) else { return nil }
      let kind = relationship.isToMany ? "to-many" : "to-one"
      let inverse = relationship.inverse.map { ", inverse `\($0.text)`" } ?? ""
      let line = "**\(owner).\(name)**: \(kind) relationship to \(relationship.destination?.text ?? "?")\(inverse)"
      return joined(line, relationship)
    }
  }

  /// Joins the first line of a property, its documentation and its key path.
  private func joined(_ line: String, _ property: ModelOutline.Property) -> String {
    let keyPath = property.keyPathText.map { path in
      "Key path: `\(path)`" + (property.hasKeyPathOfStrategy ? ", by the model's `keyStrategy`" : "")
    }
    return [line, property.documentation, keyPath ?? "No key path: neither imported nor exported"].compactMap(\.self)
      .joined(separator: "\n\n")
  }
}
