// Findings about the indexes of an entity (M28).
extension ModelFinding {
  static func unknownIndexProperty(_ name: String, of entity: String) -> Self {
    Self(
      .unknownIndexProperty,
      "'indexes' of entity \(entity.quoted) lists \(name.quoted), which is not one of its attributes or to-one relationships",
      offender: name)
  }

  static func unusableIndex(_ name: String, of entity: String, _ reason: String) -> Self {
    Self(.unusableIndex, "'indexes' of entity \(entity.quoted) cannot list \(name.quoted): \(reason)")
  }

  static func emptyIndexes(of entity: String) -> Self {
    Self(.unusableIndex, "'indexes' of entity \(entity.quoted) is empty; list the names of properties, or remove it")
  }

  static func emptyIndex(of entity: String) -> Self {
    Self(.unusableIndex, "an index of entity \(entity.quoted) is empty; list the names of properties")
  }

  static func repeatedIndexProperty(_ name: String, of entity: String) -> Self {
    Self(.repeatedIndex, "an index of entity \(entity.quoted) lists \(name.quoted) twice")
  }

  static func repeatedIndex(_ names: [String], of entity: String) -> Self {
    Self(.repeatedIndex, "the index \(list(names)) of entity \(entity.quoted) is given twice")
  }

  static func redundantIndex(_ names: [String], of entity: String, _ reason: String) -> Self {
    Self(
      .redundantIndex, "the index \(list(names)) of entity \(entity.quoted) is not needed: \(reason)",
      severity: .warning)
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ").quoted }
}
