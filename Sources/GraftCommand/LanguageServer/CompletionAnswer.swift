import Foundation
import Graft

/// Completes keys, words and names at the cursor.
struct CompletionAnswer {
  /// The kind of an item, with its number in the protocol.
  private enum Kind: Int { case property = 10, keyword = 14, word = 20, name = 18, type = 7 }

  private struct Item {
    var label: String
    var kind: Kind
    var detail = ""
    var documentation = ""
    /// Whether the item is written in quotes.
    var isQuoted = true
  }

  private let document: ModelDocument
  private let offset: Int
  private let cursor: TextCursor?

  init(_ document: ModelDocument, _ offset: Int) {
    self.document = document
    self.offset = offset
    cursor = TextCursor(document.bytes, at: offset)
  }

  /// The items, in order.
  var json: JSON {
    guard let cursor, !cursor.isInComment, !isBehindToken(cursor) else { return [] }
    let isKey = cursor.role == .key
    let items = isKey ? keys(cursor) : values(cursor)
    return .array(items.enumerated().map { json($0.element, number: $0.offset, of: items.count, cursor) })
  }

  /// Returns whether the cursor is after a closing quote, where only a comma or a colon belongs.
  private func isBehindToken(_ cursor: TextCursor) -> Bool {
    cursor.token.map { $0.isQuoted && $0.isClosed && $0.range.upperBound == offset } ?? false
  }

  // MARK: Keys

  private func keys(_ cursor: TextCursor) -> [Item] {
    switch ModelPlace(cursor.path) {
    case .level(let level, _, _):
      return level.fields.filter { $0.replacement == nil && !cursor.siblings.contains($0.key.rawValue) }.map { field in
        Item(
          label: field.key.rawValue, kind: .property, detail: field.isRequired ? "required" : "",
          documentation: FieldText.markdown(field))
      }
    case .identifier(let entity, let relationship):
      return names(ofIdentity: true, at: relationship, of: entity).filter { !cursor.siblings.contains($0.label) }
    case .migratedAttributes(let entity, let relationship):
      return names(ofIdentity: false, at: relationship, of: entity).filter { !cursor.siblings.contains($0.label) }
    case .names, .mapperTable, .data: return []
    }
  }

  /// Returns the attributes of a relationship's destination: all of them, or the ones that identify its objects.
  private func names(ofIdentity isIdentity: Bool, at relationship: String, of entity: String) -> [Item] {
    let outline = document.outline
    let found = outline.lineage(entity).flatMap(\.relationships).first { $0.name == relationship }
    guard let destination = found?.destination?.text else { return [] }
    let identity = outline.lineage(destination).flatMap(\.identity).map(\.text)
    return attributes(of: destination) { !isIdentity || identity.contains($0.name) }
  }

  // MARK: Values

  private func values(_ cursor: TextCursor) -> [Item] {
    guard let key = cursor.key else { return [] }
    switch ModelPlace(cursor.path) {
    case .names(of: .attribute, _): return types
    case .mapperTable(let entity): return targets(of: entity)
    case .level(let level, let entity, let property):
      guard let field = level.fields.first(where: { $0.key.rawValue == key }) else { return [] }
      return values(of: field, level, entity, property)
    case .names, .identifier, .migratedAttributes, .data: return []
    }
  }

  private func values(
    of field: ModelFileField, _ level: ModelFileLevel, _ entity: String?, _ property: String?
  ) -> [Item] {
    let outline = document.outline
    switch (field.key, field.kind) {
    case (.parent, _):
      let descendants = Set(outline.family(entity ?? "").map(\.name))
      return entities(outline.entities.filter { !descendants.contains($0.name) })
    case (.destination, _): return entities(outline.entities)
    case (.inverse, _): return inverses(of: property ?? "", in: entity ?? "")
    case (.otherwise, _):
      let none = Item(
        label: "null", kind: .keyword, documentation: "Objects with other values are skipped.", isQuoted: false)
      return targets(of: entity ?? "") + [none]
    case (.identityAttributes, _):
      // An owner has an inverse (M12).
      return attributes(of: entity) + toOnes(of: entity) { $0.inverse != nil }
    case (.indexes, _), (.alternateIdentities, _):
      return attributes(of: entity) { $0.type != AttributeType.json.rawValue } + toOnes(of: entity)
    case (.identityAttribute, _): return attributes(of: entity)
    case (.modificationAttribute, _):
      return attributes(of: entity) { AttributeType(rawValue: $0.type ?? "")?.tellsVersions ?? true }
    case (.JSONKeyPath, _) where level == .deletion || level == .mapper: return keyPaths(of: entity)
    case (_, .keyPath), (_, .keyPaths), (_, .identifierKeyPath): return keyPathWords(level)
    case (.equals, _): return deletionMarks(of: entity ?? "")
    case (.default, _):
      return document.outline.entity(entity ?? "")?.attributes.first { $0.name == property }.map { values(of: $0) }
        ?? []
    case (_, .transformerName):
      return transformers(of: property ?? "", in: entity ?? "")
    case (_, .word(let words, _)):
      return words.map { Item(label: $0.word, kind: .word, documentation: $0.summary) }
    case (_, .flag): return flags
    default: return []
    }
  }

  /// Returns the built-in transformers that fit the type of an attribute, if the type is known.
  private func transformers(of property: String, in entity: String) -> [Item] {
    let attribute = document.outline.entity(entity)?.attributes.first { $0.name == property }
    // The elements of a list are transformed.
    let type = (attribute?.type).flatMap { AttributeType(rawValue: $0.trimmingCharacters(in: ["[", "]"])) }
    let registry = TransformerRegistry.standard
    return registry.valueTransformerNames.filter { name in
      guard let type, let builtIn = registry.valueTransformer(named: name)?.builtIn else { return true }
      return builtIn.attributeTypes.contains(type)
    }.map { Item(label: $0, kind: .name, documentation: registry.valueTransformer(named: $0)?.builtIn?.summary ?? "") }
  }

  private var types: [Item] {
    AttributeType.allCases.map { Item(label: $0.rawValue, kind: .word, documentation: $0.summary) }
  }

  private func entities(_ entities: [ModelOutline.Entity]) -> [Item] {
    entities.map { Item(label: $0.name, kind: .type, documentation: $0.documentation ?? "") }
  }

  /// Returns the entities that a mapper can choose.
  private func targets(of entity: String) -> [Item] {
    entities(document.outline.family(entity).filter { !$0.isAbstract })
  }

  /// Returns the relationships of the destination that point back.
  private func inverses(of property: String, in entity: String) -> [Item] {
    let outline = document.outline
    let relationship = outline.entity(entity)?.relationships.first { $0.name == property }
    guard let destination = relationship?.destination, let other = outline.entity(destination.text) else { return [] }
    let back = other.relationships.filter { $0.destination?.text == entity }
    return back.map { relationship in
      Item(
        label: relationship.name, kind: .name, detail: relationship.isToMany ? "to-many" : "to-one",
        documentation: relationship.documentation ?? "")
    }
  }

  /// Returns the attributes that an entity has or inherits and that can identify or order objects. Lists cannot.
  private func attributes(of entity: String?, where isFit: (ModelOutline.Property) -> Bool = { _ in true }) -> [Item] {
    document.outline.lineage(entity ?? "").flatMap(\.attributes).filter { !$0.isList && isFit($0) }.map { attribute in
      Item(
        label: attribute.name, kind: .name, detail: attribute.type ?? "", documentation: attribute.documentation ?? "")
    }
  }

  /// Returns the to-ones that an entity has or inherits.
  private func toOnes(of entity: String?, where isFit: (ModelOutline.Property) -> Bool = { _ in true }) -> [Item] {
    document.outline.lineage(entity ?? "").flatMap(\.relationships).filter { !$0.isToMany && isFit($0) }.map { toOne in
      Item(
        label: toOne.name, kind: .name, detail: toOne.destination?.text ?? "", documentation: toOne.documentation ?? "")
    }
  }

  /// Returns the key paths of attributes. A value next to them is read without its own property.
  private func keyPaths(of entity: String?) -> [Item] {
    document.outline.lineage(entity ?? "").flatMap(\.attributes).compactMap { attribute in
      // The value of a word such as `@parent` is not in the object.
      attribute.keyPath.flatMap { $0.hasPrefix("@") ? nil : $0 }.map {
        Item(label: $0, kind: .name, detail: "\(attribute.name): \(attribute.type ?? "?")")
      }
    }
  }

  /// Returns the reserved words in the key paths of properties.
  private func keyPathWords(_ level: ModelFileLevel) -> [Item] {
    KeyPathWord.legal(at: level).map { Item(label: $0.text, kind: .word, documentation: $0.summary) }
  }

  /// Returns the values that the attribute at the key path of `deletedWhen` can have.
  private func deletionMarks(of entity: String) -> [Item] {
    let outline = document.outline
    let path = outline.entity(entity)?.deletionKeyPath
    guard let attribute = path.flatMap({ outline.attribute(at: $0.text, in: entity) })?.attribute else {
      return flags
    }
    return values(of: attribute)
  }

  /// Returns the values that an attribute can have, if they are listed or it is a boolean.
  private func values(of attribute: ModelOutline.Property) -> [Item] {
    let listed = attribute.listedValues.map { value in
      Item(label: value.stringValue ?? value.description, kind: .word, isQuoted: value.stringValue != nil)
    }
    return listed.isEmpty && attribute.type == AttributeType.boolean.rawValue ? flags : listed
  }

  private var flags: [Item] { ["true", "false"].map { Item(label: $0, kind: .keyword, isQuoted: false) } }

  // MARK: Items

  /// Returns an item whose edit replaces the token at the cursor. If there are several names, it replaces the name at the cursor.
  private func json(_ item: Item, number: Int, of count: Int, _ cursor: TextCursor) -> JSON {
    let literal = item.isQuoted ? JSON.string(item.label).description : item.label
    var range = offset..<offset
    var text = literal
    if let token = cursor.token, cursor.role == .key || !isAmongNames(token) {
      range = token.isClosed ? token.range : token.range.lowerBound..<offset
    } else if let token = cursor.token {
      range = part(of: token)
      text = item.label
    }
    if cursor.role == .key, !cursor.hasColon { text += ": " }
    let filter = document.text(range).hasPrefix("\"") ? literal : item.label
    // Editors sort items by text, so all numbers have the same number of digits.
    let digits = String(number)
    let sortText = String(repeating: "0", count: String(count).count - digits.count) + digits
    var json: JSONObject = [
      "label": .string(item.label), "kind": .number(JSONNumber(item.kind.rawValue)),
      "sortText": .string(sortText), "filterText": .string(filter),
      "textEdit": document.edit(range, text),
    ]
    if !item.detail.isEmpty { json["detail"] = .string(item.detail) }
    if !item.documentation.isEmpty {
      json["documentation"] = ["kind": "markdown", "value": .string(item.documentation)]
    }
    return .object(json)
  }

  /// Returns whether the token is a string of names separated by commas.
  private func isAmongNames(_ token: TextCursor.Token) -> Bool {
    guard cursor?.role == .value, token.isQuoted, token.text.contains(",") else { return false }
    return cursor?.key == ModelFileKey.identityAttributes.rawValue
  }

  /// Returns the name at the cursor in a string of names.
  private func part(of token: TextCursor.Token) -> Range<Int> {
    let bytes = document.bytes
    func isName(_ byte: UInt8) -> Bool { byte > 0x20 && !",\"'".utf8.contains(byte) }
    var (start, end) = (offset, offset)
    while start > token.range.lowerBound, isName(bytes[start - 1]) { start -= 1 }
    while end < token.range.upperBound, isName(bytes[end]) { end += 1 }
    return start..<end
  }
}
