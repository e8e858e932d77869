// A layout as text. Equal layouts have equal text, because members are in alphabetical order, and nil members are omitted.
extension StoreLayout {
  /// The layout as JSON.
  package var text: String {
    JSONWriter.text(
      of: [
        "entities": .array(entities.map(\.json)), "links": .array(links.map(\.json)),
        "tables": .array(tables.map(\.json)),
      ])
  }

  /// Reads a layout; nil if the text is not a layout.
  package init?(text: String) {
    guard let json = try? JSON(parsing: Array(text.utf8)), let entities = json.list("entities", Entity.init(json:)),
      let tables = json.list("tables", Table.init(json:)), let links = json.list("links", Links.init(json:))
    else { return nil }
    self.init(entities: entities, tables: tables, links: links)
    if !isConsistent { return nil }
  }
}

extension JSON {
  /// The integer of a key; nil if there is none.
  fileprivate func integer(_ key: String) -> Int? {
    guard case .number(let number)? = self[key] else { return nil }
    return number.int64.flatMap { Int(exactly: $0) }
  }

  fileprivate func boolean(_ key: String) -> Bool? {
    if case .boolean(let value)? = self[key] { return value }
    return nil
  }

  fileprivate func string(_ key: String) -> String? { self[key]?.stringValue }

  /// The elements of a list; nil if one of them cannot be read.
  fileprivate func list<Element>(_ key: String, _ read: (JSON) -> Element?) -> [Element]? {
    guard let elements = self[key]?.arrayValue else { return nil }
    let values = elements.compactMap(read)
    return values.count == elements.count ? values : nil
  }

  fileprivate func strings(_ key: String) -> [String]? { list(key, \.stringValue) }

  fileprivate func integers(_ key: String) -> [Int]? { self[key]?.integers() }

  /// The integers of an array; nil if it has other elements.
  fileprivate func integers() -> [Int]? {
    guard let elements = arrayValue else { return nil }
    let values = elements.compactMap { element -> Int? in
      guard case .number(let number) = element else { return nil }
      return number.int64.flatMap { Int(exactly: $0) }
    }
    return values.count == elements.count ? values : nil
  }

  /// A JSON object with the members that are not nil.
  fileprivate static func members(_ members: [(key: String, value: JSON?)]) -> JSON {
    .object(JSONObject(members.compactMap { key, value in value.map { (key: key, value: $0) } }))
  }

  fileprivate static func strings(_ values: [String]) -> JSON { .array(values.map(JSON.string)) }
  fileprivate static func integer(_ value: Int) -> JSON { .number(JSONNumber(value)) }
}

extension StoreLayout.Entity {
  fileprivate var json: JSON {
    .members([
      ("identity", .strings(identity)), ("isAbstract", .boolean(isAbstract)), ("name", .string(name)),
      ("parent", parent.map(JSON.string)), ("properties", .array(properties.map(\.json))),
    ])
  }

  fileprivate init?(json: JSON) {
    guard let name = json.string("name"), let isAbstract = json.boolean("isAbstract"),
      let identity = json.strings("identity"),
      let properties = json.list("properties", StoreLayout.Property.init(json:))
    else { return nil }
    self.init(
      name: name, parent: json.string("parent"), isAbstract: isAbstract, identity: identity, properties: properties)
  }
}

extension StoreLayout.Property {
  fileprivate var json: JSON {
    .members([
      ("destination", destination.map(JSON.string)), ("inverse", inverse.map(JSON.string)),
      ("isOptional", .boolean(isOptional)), ("isOrdered", isOrdered.map(JSON.boolean)),
      ("isToMany", isToMany.map(JSON.boolean)), ("name", .string(name)), ("rules", rules.map(JSON.string)),
      ("type", type.map(JSON.string)),
    ])
  }

  fileprivate init?(json: JSON) {
    guard let name = json.string("name"), let isOptional = json.boolean("isOptional") else { return nil }
    self.init(
      name: name, isOptional: isOptional, type: json.string("type"), destination: json.string("destination"),
      isToMany: json.boolean("isToMany"), isOrdered: json.boolean("isOrdered"), inverse: json.string("inverse"),
      rules: json.string("rules"))
  }
}

extension StoreLayout.Table {
  fileprivate var json: JSON {
    .members([
      ("columns", .array(columns.map(\.json))), ("entities", .strings(entities)),
      ("hasBareDiscriminators", .boolean(hasBareDiscriminators)), ("identities", .array(identities.map(\.json))),
      ("indexes", indexes.isEmpty ? nil : .array(indexes.map { .array($0.map(JSON.integer)) })),
      ("name", .string(name)),
    ])
  }

  fileprivate init?(json: JSON) {
    guard let name = json.string("name"), let entities = json.strings("entities"),
      let columns = json.list("columns", StoreLayout.Column.init(json:)),
      let identities = json.list("identities", StoreLayout.Identity.init(json:)),
      let hasBareDiscriminators = json.boolean("hasBareDiscriminators"),
      let indexes = json["indexes"] == nil ? [] : json.list("indexes", { $0.integers() })
    else { return nil }
    self.init(
      name: name, entities: entities, columns: columns, identities: identities, indexes: indexes,
      hasBareDiscriminators: hasBareDiscriminators)
  }
}

extension StoreLayout.Column {
  fileprivate var json: JSON {
    .members([("content", content.json), ("name", .string(name)), ("properties", .strings(properties))])
  }

  fileprivate init?(json: JSON) {
    guard let name = json.string("name"), let content = json["content"].flatMap(StoreLayout.Content.init(json:)),
      let properties = json.strings("properties")
    else { return nil }
    self.init(name: name, content: content, properties: properties)
  }
}

extension StoreLayout.Content {
  fileprivate var json: JSON {
    switch self {
    case .attribute(let type): ["attribute": ["_0": .string(type)]]
    case .reference(let table): ["reference": ["_0": .integer(table)]]
    case .position(let reference): ["position": ["_0": .integer(reference)]]
    }
  }

  fileprivate init?(json: JSON) {
    if let type = json["attribute"]?.string("_0") {
      self = .attribute(type)
    } else if let table = json["reference"]?.integer("_0") {
      self = .reference(table)
    } else if let reference = json["position"]?.integer("_0") {
      self = .position(reference)
    } else {
      return nil
    }
  }
}

extension StoreLayout.Identity {
  fileprivate var json: JSON {
    ["columns": .array(columns.map(JSON.integer)), "entities": .array(entities.map(JSON.integer))]
  }

  fileprivate init?(json: JSON) {
    guard let columns = json.integers("columns"), let entities = json.integers("entities") else { return nil }
    self.init(columns: columns, entities: entities)
  }
}

extension StoreLayout.Links {
  fileprivate var json: JSON {
    .members([
      ("inverse", inverse.map(JSON.string)), ("isInverseOrdered", .boolean(isInverseOrdered)),
      ("isOrdered", .boolean(isOrdered)), ("memberColumn", .string(memberColumn)),
      ("memberTable", .integer(memberTable)), ("name", .string(name)), ("ownerColumn", .string(ownerColumn)),
      ("ownerTable", .integer(ownerTable)), ("relationship", .string(relationship)),
    ])
  }

  fileprivate init?(json: JSON) {
    guard let name = json.string("name"), let ownerColumn = json.string("ownerColumn"),
      let memberColumn = json.string("memberColumn"), let ownerTable = json.integer("ownerTable"),
      let memberTable = json.integer("memberTable"), let isOrdered = json.boolean("isOrdered"),
      let isInverseOrdered = json.boolean("isInverseOrdered"), let relationship = json.string("relationship")
    else { return nil }
    self.init(
      name: name, ownerColumn: ownerColumn, memberColumn: memberColumn, ownerTable: ownerTable,
      memberTable: memberTable, isOrdered: isOrdered, isInverseOrdered: isInverseOrdered, relationship: relationship,
      inverse: json.string("inverse"))
  }
}
