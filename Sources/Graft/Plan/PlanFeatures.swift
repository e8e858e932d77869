/// The features that a model uses. The code for unused features is skipped at run time.
struct PlanFeatures {
  /// Whether a closure of the model, or a hook, receives whole dictionaries.
  var hasDictionaryClosures: Bool
  /// Whether a closure of the program reads values, dictionaries or objects. Such a closure is called only once for each value,
  /// dictionary or object (T3), so values that it has read must not be read again.
  let hasClosures: Bool
  /// Whether a class of the model has hooks.
  var hasHooks = false
  /// Whether an attribute has an open `enum` (M14).
  var hasOpenEnums: Bool
  /// Whether objects are identified inside their owners (M12).
  var hasOwners: Bool
  /// Whether objects are read when the object that contains them is known, because the containing object identifies them (M12, M27).
  var hasSetAside: Bool
  /// Whether entities have alternate identities (M27).
  var hasAlternates: Bool
  /// Whether a property is read from the context of its object: its owner, its position in an array (M12), or a value of an
  /// enclosing object (M19).
  var hasSurroundings: Bool
  /// Whether a key path begins with `@parent` or `@root` (M19).
  var hasSurroundingPaths: Bool
  /// The attributes whose values select entities.
  let selectors: EntitySelectors

  init(_ entities: [EntityPlan], _ layouts: [EntityLayout]) {
    hasDictionaryClosures = entities.contains { entity in
      if case .closure = entity.mapper { return true }
      return entity.dictionaryTransformer != nil
    }
    hasClosures =
      hasDictionaryClosures
      || entities.contains { entity in
        !entity.validations.isEmpty || entity.rules.contains { !$0.validations.isEmpty }
          || entity.properties.contains { $0.transformer.map { $0.builtIn == nil } ?? false }
      }
    selectors = EntitySelectors(entities)
    hasOpenEnums = entities.contains { $0.rules.contains { $0.knownValues != nil } }
    hasAlternates = entities.contains { !$0.alternates.isEmpty }
    hasOwners = entities.contains { !$0.ownerSlots.isEmpty }
    hasSurroundingPaths = layouts.contains { $0.forms.readsSurroundings }
    hasSetAside = layouts.contains { layout in
      (0..<layout.slotCount).contains { layout.slots[$0].kind.isRelationship && layout.slots[$0].isSetAside }
    }
    hasSurroundings = hasOwners || hasSetAside || hasSurroundingPaths || layouts.contains { $0.forms.indexField >= 0 }
  }
}
