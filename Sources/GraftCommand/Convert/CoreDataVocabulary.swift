/// The words of Xcode's model files that have no meaning for a graph in memory, and all other words that this program knows. Any
/// other word is newer than the program, and is reported when it is omitted.
enum CoreDataVocabulary {
  /// Words that only Xcode or its generated code uses.
  private static let silent: [String: Set<String>] = [
    "model": [
      "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
      "macOSVersion", "iOSVersion", "sourceLanguage", "userDefinedModelVersionIdentifier", "usedWithSwiftData",
      "usedWithCloudKit",
    ],
    "entity": ["name", "representedClassName", "parentEntity", "isAbstract", "codeGenerationType"],
    "attribute": [
      "name", "attributeType", "optional", "transient", "derived", "derivationExpression", "defaultValueString",
      "defaultDateTimeInterval", "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
      "regularExpressionString", "usesScalarValueType", "customClassName", "valueTransformerName", "compositeName",
    ],
    "relationship": [
      "name", "optional", "transient", "toMany", "ordered", "destinationEntity", "inverseName", "inverseEntity",
      "minCount", "maxCount", "deletionRule",
    ],
  ]

  /// Attributes that only concern a store, with their descriptions.
  static let storageAttributes = [
    "elementID": "renaming identifier", "versionHashModifier": "version hash modifier", "indexed": "indexed attribute",
    "allowsExternalBinaryDataStorage": "external file", "storedInTruthFile": "external record",
    "spotlightIndexingEnabled": "Spotlight attribute", "isIndexedBySpotlight": "Spotlight attribute",
    "coreSpotlightDisplayNameExpression": "Spotlight name", "allowsCloudEncryption": "encrypted value",
    "preserveAfterDeletion": "preserved value", "preservesValueInHistoryOnDeletion": "preserved value",
  ]

  /// Elements that only concern a store, with their descriptions.
  static let storageElements = [
    "compoundIndexes": "list of indexes", "configuration": "configuration",
  ]

  /// The child elements that are read, or that only describe Xcode's diagram.
  private static let elements: [String: Set<String>] = [
    "model": ["entity", "fetchRequest", "elements", "userInfo", "composite", "compositeAttribute"],
    "entity": ["attribute", "relationship", "fetchedProperty", "fetchIndex", "uniquenessConstraints", "userInfo"],
    "attribute": ["userInfo"],
    "relationship": ["userInfo"],
  ]

  static func knows(attribute: String, of element: String) -> Bool {
    attribute == "syncable" || silent[element]?.contains(attribute) == true
  }

  static func knows(element: String, in parent: String) -> Bool { elements[parent]?.contains(element) == true }
}
