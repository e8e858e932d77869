/// The synchronization keys of an entity, its own or inherited (M17).
struct SynchronizationPlan {
  /// The slot of `modificationAttribute`, if objects can be found by an identity.
  var modificationSlot: Int?
  /// The value that marks a dictionary as the deletion of its object.
  var deletion: EntityDescription.DeletionMark?

  /// Returns nil if the entity has no synchronization keys.
  init?(_ entity: EntityPlan) {
    if !entity.identitySlots.isEmpty { modificationSlot = entity.modificationSlot }
    deletion = entity.deletionMark
    if modificationSlot == nil, deletion == nil { return nil }
  }
}

extension EntityPlan {
  /// The mark that the entity or its nearest ancestor declares.
  var deletionMark: EntityDescription.DeletionMark? {
    sequence(first: self, next: \.parent).lazy.compactMap(\.description.deletedWhen).first
  }

  fileprivate var modificationSlot: Int? {
    sequence(first: self, next: \.parent).lazy.compactMap(\.description.modificationAttribute).first
      .flatMap { slotNumbers[$0] }
  }
}
