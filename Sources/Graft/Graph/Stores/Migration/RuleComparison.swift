/// Compares the requirements of two versions of a model for a property.
enum RuleComparison {
  /// Returns whether values that the old rules allow may violate the new rules. Both are JSON objects, or nil if there are no rules.
  static func isNarrower(_ new: String?, than old: String?) -> Bool {
    guard let new, new != old, let new = try? JSON(parsing: Array(new.utf8)).objectValue else { return false }
    let old = old.flatMap { try? JSON(parsing: Array($0.utf8)).objectValue }
    return new.members.contains { isNarrower($0.key, $0.value, than: old?[$0.key]) }
  }

  private static func isNarrower(_ key: String, _ new: JSON, than old: JSON?) -> Bool {
    guard let old else { return true }
    if new == old { return false }
    switch key {
    case ModelFileKey.enum.rawValue:
      let values = new.arrayValue ?? []
      return !(old.arrayValue ?? []).allSatisfy(values.contains)
    case ModelFileKey.minimum.rawValue, ModelFileKey.minLength.rawValue, ModelFileKey.minCount.rawValue:
      return number(new).flatMap { new in number(old).map { new >= $0 } } ?? true
    case ModelFileKey.maximum.rawValue, ModelFileKey.maxLength.rawValue, ModelFileKey.maxCount.rawValue:
      return number(new).flatMap { new in number(old).map { new <= $0 } } ?? true
    default: return true
    }
  }

  private static func number(_ json: JSON) -> Double? {
    if case .number(let number) = json { return Double(number.text) }
    return nil
  }
}
