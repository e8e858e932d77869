// Findings about the indexes (M28) and the alternate identities (M27) of an entity.
extension ModelFinding {
  static func unknownListProperty(_ name: String, in key: ModelFileKey, of entity: String) -> Self {
    Self(
      key == .indexes ? .unknownIndexProperty : .unknownIdentityAttribute,
      "'\(key.rawValue)' of entity \(entity.quoted) lists \(name.quoted), which is not one of its attributes or to-one relationships",
      offender: name)
  }

  static func unusableListProperty(
    _ name: String, in key: ModelFileKey, of entity: String, _ reason: String
  ) -> Self {
    Self(unusable(key), "'\(key.rawValue)' of entity \(entity.quoted) cannot list \(name.quoted): \(reason)")
  }

  static func emptyNameLists(_ key: ModelFileKey, of entity: String) -> Self {
    Self(
      unusable(key),
      "'\(key.rawValue)' of entity \(entity.quoted) is empty; list the names of properties, or remove it")
  }

  static func emptyNames(in key: ModelFileKey, of entity: String) -> Self {
    Self(unusable(key), "\(title(key)) of entity \(entity.quoted) is empty; list the names of properties")
  }

  static func repeatedListProperty(_ name: String, in key: ModelFileKey, of entity: String) -> Self {
    Self(
      key == .indexes ? .repeatedIndex : .repeatedIdentityAttribute,
      "\(title(key)) of entity \(entity.quoted) lists \(name.quoted) twice")
  }

  static func repeatedIndex(_ names: [String], of entity: String) -> Self {
    Self(.repeatedIndex, "the index \(list(names)) of entity \(entity.quoted) is given twice")
  }

  static func redundantIndex(_ names: [String], of entity: String, _ reason: String) -> Self {
    Self(
      .redundantIndex, "the index \(list(names)) of entity \(entity.quoted) is not needed: \(reason)",
      severity: .warning)
  }

  static func repeatedAlternateIdentity(_ names: [String], of entity: String) -> Self {
    Self(
      .repeatedIdentityAttribute, "the alternate identity \(list(names)) of entity \(entity.quoted) is given twice")
  }

  static func alternateWithoutIdentity(_ names: [String], of entity: String) -> Self {
    Self(
      .unusableAlternateIdentity,
      "entity \(entity.quoted) has the alternate identity \(list(names)), but no identity: name it in 'identityAttributes'"
    )
  }

  static func alternateContainsIdentity(_ names: [String], of entity: String) -> Self {
    Self(
      .unusableAlternateIdentity,
      "the alternate identity \(list(names)) of entity \(entity.quoted) contains its identity, which is sufficient")
  }

  private static func unusable(_ key: ModelFileKey) -> DiagnosticCode {
    key == .indexes ? .unusableIndex : .unusableAlternateIdentity
  }

  private static func title(_ key: ModelFileKey) -> String { key == .indexes ? "an index" : "an alternate identity" }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ").quoted }
}
