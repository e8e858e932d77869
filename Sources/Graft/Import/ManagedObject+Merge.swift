/// The action to take if another object already has the identity that a payload gives to an object.
public enum IdentityConflict: Sendable {
  /// The call fails, and the error names the other object.
  case refuse
  /// The two objects become one. The other object is kept: it gets this object's links, the values that it lacks, and the values of the
  /// payload. References to either object then refer to it.
  case unite
}

extension ManagedObject {
  /// Merges a dictionary into this object, regardless of the identity in the dictionary: for example, a service's response to an object
  /// that the program created ([I23](doc:Rules#I23)).
  ///
  ///     let order = Order(context: context)              // a draft without identity
  ///     order.customer = customer
  ///     let answer = try await post(jsonData(from: order))
  ///     try order.merge(fromJSON: answer)                // has the id that the service gave it
  ///
  /// The object is treated as if it already had the identity in the dictionary. Objects in its relationships that have no identity are
  /// found by their position, if one of their attributes reads `@index`, or by an alternate identity ([M27](doc:Rules#M27)); they get the
  /// identities in the dictionary. In every other respect, this is an import: validated, all or nothing, and permanent.
  ///
  /// - Parameters:
  ///   - payload: one object, as text, bytes, dictionaries, ``JSON`` or a file URL: see ``JSONPayload``.
  ///   - keyPath: the key path under which the document holds the object.
  ///   - conflict: the action to take if another object has the identity. ``IdentityConflict/unite`` is refused inside
  ///     ``ManagedObjectContext/atomically(_:)``. Uniting objects takes time in proportion to the number of objects that have relationships
  ///     without an inverse to this entity.
  ///   - options: limits, and the name of the payload in messages.
  /// - Returns: what changed.
  /// - Throws: an ``ImportError`` with everything that is wrong, or if this object was deleted. The context is then unchanged
  ///   ([I10](doc:Rules#I10)).
  @discardableResult
  public func merge(
    fromJSON payload: some JSONPayload, at keyPath: JSONKeyPath? = nil,
    ifIdentityIsTaken conflict: IdentityConflict = .refuse, options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    guard !isGone else { throw ImportFinding.deletedParent("\(self)").error() }
    context.state.loadRow(table, number)
    var part = PlannedPart(entity: row.entity, keyPath: keyPath)
    let target = MergeTarget(self, unites: conflict == .unite && context.state.openUnits == 0)
    part.target = target
    return try payload.payloadContent.withSource([part], context.model.plan, options) { source throws(ImportError) in
      try ImportRun(context: context, isSingle: true).report(source, [part]) {
        if !target.united.isEmpty { context.moveHandles(target.united) }
      }
    }
  }
}
