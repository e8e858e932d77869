#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The error for a context's changes that conflict with what another context or process wrote to the store.
///
///     do {
///       try context.commit()
///     } catch let error as ConflictError {
///       print(error)       // error: 'Hero(1699)' was changed in the store since it was loaded; changed here: name
///       context.rollBack()
///       try context.merge()      // shows the current contents of the store
///     }
///
/// Commits and ``ManagedObjectContext/merge()`` throw this error. Nothing is written, and the changes are still pending. With
/// a different ``ManagedObjectContext/conflictPolicy``, the commit can be tried again. After ``ManagedObjectContext/rollBack()``
/// and ``ManagedObjectContext/merge()``, the changes can be made again.
public struct ConflictError: DiagnosticError {
  /// An object whose changes conflict.
  public struct Object: Sendable, Hashable {
    /// The object.
    public let id: ManagedObjectID
    /// The properties that were changed in the context; empty if the object was inserted or deleted.
    public let properties: [String]
  }

  /// The diagnostics, one for each object.
  public let diagnostics: [Diagnostic]
  /// The objects, in the order of ``diagnostics``.
  public let objects: [Object]

  /// - Parameters:
  ///   - conflicts: the conflicts.
  ///   - own: the context's changes.
  init(_ conflicts: RebaseConflicts, _ own: PendingOwnChanges, _ context: ManagedObjectContext) {
    let words = ConflictWords(own, context)
    let found = conflicts.all.map { (object: words.object($0.place), message: words.message($0)) }
    objects = found.map(\.object)
    diagnostics = found.map { object, message in
      var diagnostic = Diagnostic(code: .commitConflict, message)
      diagnostic.subject = Diagnostic.Subject(
        entityName: object.id.entityName, propertyName: object.properties.count == 1 ? object.properties[0] : nil,
        objectName: object.id.description
      ).with(object: object.id)
      return diagnostic
    }
  }
}

/// Describes conflicts in messages.
private struct ConflictWords {
  let own: PendingOwnChanges
  let context: ManagedObjectContext
  private let history: RowHistory

  private var binding: StoreBinding? { context.binding }
  private var plan: Plan { context.model.plan }

  init(_ own: PendingOwnChanges, _ context: ManagedObjectContext) {
    self.own = own
    self.context = context
    history = RowHistory(context.state, since: .lastCommit)
  }

  private func row(_ place: StoredPlace) -> RowPlace? {
    own.rows[place] ?? binding?.row(of: place).map { RowPlace(table: place.table, row: $0) }
  }

  func object(_ place: StoredPlace) -> ConflictError.Object {
    guard let row = row(place) else {
      let root = plan.entities[plan.tables[place.table].root]
      return ConflictError.Object(
        id: ManagedObjectID(
          entityName: root.name, key: .identity(.init(space: root.name, parts: [])), hidesIdentity: false),
        properties: [])
    }
    let entity = plan.entities[context.state.row(row.table, row.row).entity]
    let isStored = context.state.row(row.table, row.row).header.isStored
    let isDeleted = context.state.row(row.table, row.row).isDeleted
    let properties = isStored && !isDeleted ? history.changes(row).map { entity.properties[$0.slot].name } : []
    return ConflictError.Object(
      id: history.withImage(of: row) { context.id(row, $0.before, history) }, properties: properties)
  }

  func message(_ conflict: RebaseConflict) -> String {
    let object = object(conflict.place)
    let store = binding?.parentStore == nil ? "the store" : "the parent"
    let what =
      switch conflict.reason {
      case .changed: "was changed in \(store) since it was loaded"
      case .deleted: "was deleted in \(store) since it was loaded"
      case .targetDeleted(let target): "refers to '\(self.object(target).id)', which was deleted in \(store)"
      case .listChanged(let list): "has different objects in '\(name(of: list))' in \(store) than when it was loaded"
      case .denied(let member):
        "cannot be deleted: '\(self.object(member).id)' was added to it in \(store), and the model's delete rule is 'deny'"
      case .identityTaken: "has an identity that another object in \(store) has received in the meantime"
      case .entity(let entity): "now belongs to entity '\(plan.entities[entity].name)' in \(store)"
      }
    let isDeleted = row(conflict.place).map { context.state.row($0.table, $0.row).isDeleted } ?? false
    let here =
      isDeleted
      ? "deleted here"
      : object.properties.isEmpty ? "inserted here" : "changed here: \(object.properties.joined(separator: ", "))"
    let advice =
      conflict.reason.isContradiction
      ? "No conflict policy resolves this: \(conflict.reason == .identityTaken ? "change the identity, or " : "")roll back and merge"
      : "Roll back, merge and repeat the change, or choose a conflict policy that resolves this"
    return "'\(object.id)' \(what); \(here). \(advice)"
  }

  private func name(of list: StoredList) -> String {
    guard let place = row(list.owner), let schema = binding?.map.schema else { return "" }
    let entity = plan.entities[context.state.row(place.table, place.row).entity]
    let slot = schema.slot(of: list.members, in: entity.index)
    return slot.map { entity.properties[$0].name } ?? ""
  }
}
