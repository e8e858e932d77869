/// The words of Xcode's model files that have no meaning for a graph in memory, and those that this program knows at
/// all. Whatever is not listed is newer than this program, and is named when it is left out.
enum CoreDataVocabulary {
  /// What Xcode notes for itself, or for the code that it generates.
  private static let silent: [String: Set<String>] = [
    "model": [
      "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
      "macOSVersion", "iOSVersion", "sourceLanguage", "userDefinedModelVersionIdentifier", "usedWithSwiftData",
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

  /// What only concerns a store: by the attribute, what it is called.
  static let storageAttributes = [
    "elementID": "renaming identifier", "versionHashModifier": "version hash modifier", "indexed": "indexed attribute",
    "allowsExternalBinaryDataStorage": "external file", "storedInTruthFile": "external record",
    "spotlightIndexingEnabled": "Spotlight attribute", "isIndexedBySpotlight": "Spotlight attribute",
    "coreSpotlightDisplayNameExpression": "Spotlight name", "allowsCloudEncryption": "encrypted value",
    "preserveAfterDeletion": "preserved value", "preservesValueInHistoryOnDeletion": "preserved value",
  ]

  /// What only concerns a store: by the element, what it is called.
  static let storageElements = [
    "fetchIndex": "index for fetching", "compoundIndexes": "list of indexes", "configuration": "configuration",
  ]

  /// The elements that stand in an element and are read, or say where Xcode draws what.
  private static let elements: [String: Set<String>] = [
    "model": ["entity", "fetchRequest", "elements", "userInfo", "composite", "compositeAttribute"],
    "entity": ["attribute", "relationship", "fetchedProperty", "uniquenessConstraints", "userInfo"],
    "attribute": ["userInfo"],
    "relationship": ["userInfo"],
  ]

  static func knows(attribute: String, of element: String) -> Bool {
    attribute == "syncable" || silent[element]?.contains(attribute) == true
  }

  static func knows(element: String, in parent: String) -> Bool { elements[parent]?.contains(element) == true }
}
