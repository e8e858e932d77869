/// What a model uses. What it does not use is not looked for.
struct PlanFeatures {
  /// Whether a closure of the model, or a hook, receives whole dictionaries.
  var hasDictionaryClosures: Bool
  /// Whether a class of the model has hooks.
  var hasHooks = false
  /// Whether an attribute has an open `enum` (M14).
  var hasOpenEnums: Bool
  /// Whether objects are identified inside their owners (M12).
  var hasOwners: Bool
  /// Whether a property is read from the surroundings of its object: its owner, its position in an array (M12), or a value of an
  /// object around it (M19).
  var hasSurroundings: Bool
  /// Whether a key path begins with `@parent` or `@root` (M19).
  var hasSurroundingPaths: Bool

  init(_ entities: [EntityPlan], _ layouts: [EntityLayout]) {
    hasDictionaryClosures = entities.contains { entity in
      if case .closure = entity.mapper { return true }
      return entity.dictionaryTransformer != nil
    }
    hasOpenEnums = entities.contains { $0.rules.contains { $0.knownValues != nil } }
    hasOwners = entities.contains { !$0.ownerSlots.isEmpty }
    hasSurroundingPaths = layouts.contains { $0.readsSurroundings }
    hasSurroundings = hasOwners || hasSurroundingPaths || layouts.contains { $0.indexField >= 0 }
  }
}
