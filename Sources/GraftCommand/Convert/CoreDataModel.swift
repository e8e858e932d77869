import Graft

/// The content of the XML of a Core Data model, as Xcode writes it.
///
/// Nothing is checked or decided here. Each part keeps its tag, which knows its location.
struct CoreDataModel {
  let source: SourceText
  let tag: XMLTag
  let entities: [CoreDataEntity]
  let userInfo: CoreDataUserInfo

  /// The version's own name, which Xcode calls the identifier.
  var versionIdentifier: String? { tag.text("userDefinedModelVersionIdentifier") }

  init(_ tag: XMLTag, in source: SourceText) {
    self.source = source
    self.tag = tag
    entities = tag.children(named: "entity").map(CoreDataEntity.init)
    userInfo = CoreDataUserInfo(of: tag)
  }
}

/// An entity.
struct CoreDataEntity {
  let tag: XMLTag
  let name: String
  let attributes: [CoreDataAttribute]
  let relationships: [CoreDataRelationship]
  let userInfo: CoreDataUserInfo

  var parentName: String? { tag.text("parentEntity") }
  var isAbstract: Bool { tag.says("isAbstract") }
  var className: String? { tag.text("representedClassName") }

  /// The names of the properties in each uniqueness constraint.
  var uniquenessConstraints: [[String]] {
    tag.children(named: "uniquenessConstraints").flatMap { $0.children(named: "uniquenessConstraint") }
      .map { $0.children(named: "constraint").compactMap { $0["value"] } }.filter { !$0.isEmpty }
  }

  /// The indexes for fetching.
  var fetchIndexes: [CoreDataFetchIndex] { tag.children(named: "fetchIndex").map(CoreDataFetchIndex.init) }

  init(_ tag: XMLTag) {
    self.tag = tag
    name = tag["name"] ?? ""
    attributes = tag.children(named: "attribute").map(CoreDataAttribute.init)
    relationships = tag.children(named: "relationship").map(CoreDataRelationship.init)
    userInfo = CoreDataUserInfo(of: tag)
  }
}

/// An index for fetching.
struct CoreDataFetchIndex {
  let tag: XMLTag
  let name: String
  /// The names of the properties; nil for an expression.
  let properties: [String?]

  init(_ tag: XMLTag) {
    self.tag = tag
    name = tag["name"] ?? ""
    properties = tag.children(named: "fetchIndexElement").map { $0["property"] }
  }

  /// The features that an index of properties does not have, for a message.
  var extras: [String] {
    let elements = tag.children(named: "fetchIndexElement")
    return (tag.text("partialIndexPredicate") == nil ? [] : ["its condition"])
      + (elements.contains { $0["type"].map { $0.lowercased() != "binary" } ?? false } ? ["its type"] : [])
      + (elements.contains { $0["order"] == "descending" } ? ["its descending order"] : [])
  }
}

/// An attribute.
struct CoreDataAttribute {
  let tag: XMLTag
  let name: String
  let userInfo: CoreDataUserInfo

  /// The type as Xcode writes it: `Integer 16`.
  var typeName: String { tag["attributeType"] ?? "Undefined" }
  var isOptional: Bool { tag.says("optional") }
  /// Whether the attribute stores no value, because code computes it.
  var isComputed: Bool { tag.says("transient") || tag.says("derived") }
  /// The class of a transformable value, or the transformer that stores it.
  var className: String? { tag.text("customClassName") ?? tag.text("valueTransformerName") }

  init(_ tag: XMLTag) {
    self.tag = tag
    name = tag["name"] ?? ""
    userInfo = CoreDataUserInfo(of: tag)
  }
}

/// A relationship.
struct CoreDataRelationship {
  let tag: XMLTag
  let name: String
  let userInfo: CoreDataUserInfo

  var destinationName: String? { tag.text("destinationEntity") }
  var inverseName: String? { tag.text("inverseName") }
  var isToMany: Bool { tag.says("toMany") }
  var isOrdered: Bool { tag.says("ordered") }
  var isOptional: Bool { tag.says("optional") }
  /// The maximum count. In Core Data, 0 means no limit.
  var minCount: Int? { tag.text("minCount").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
  var maxCount: Int? { tag.text("maxCount").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
  /// The delete rule as Xcode writes it: `No Action`.
  var deletionRule: String { tag["deletionRule"] ?? "Nullify" }

  init(_ tag: XMLTag) {
    self.tag = tag
    name = tag["name"] ?? ""
    userInfo = CoreDataUserInfo(of: tag)
  }
}

/// The user info of a part of the model.
struct CoreDataUserInfo {
  /// A key and its value.
  struct Entry {
    let key: String
    let value: String
    let tag: XMLTag
  }

  private(set) var entries: [Entry]

  init(of tag: XMLTag) {
    entries = tag.children(named: "userInfo").flatMap { $0.children(named: "entry") }
      .map { Entry(key: $0["key"] ?? "", value: $0["value"] ?? "", tag: $0) }
  }

  /// Returns the entry of a key. If the key occurs several times, the last entry wins, as in a dictionary.
  subscript(key: String) -> Entry? { entries.last { $0.key == key } }

  /// Removes an entry that was converted, so that it is not copied to the model file.
  mutating func take(_ key: String) -> Entry? {
    guard let entry = self[key] else { return nil }
    entries.removeAll { $0.key == key }
    return entry
  }

  /// Puts back an entry that could not be converted.
  mutating func putBack(_ entry: Entry) { entries.append(entry) }

  /// The remaining entries, which are copied.
  var kept: [String: JSON] { Dictionary(entries.map { ($0.key, .string($0.value)) }) { $1 } }
}

extension XMLTag {
  /// Returns an attribute's value, or nil if it is empty.
  fileprivate func text(_ attribute: String) -> String? { self[attribute].flatMap { $0.isEmpty ? nil : $0 } }
}
