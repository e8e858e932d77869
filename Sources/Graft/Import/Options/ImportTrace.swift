/// All mentions of one object in the payloads of a run, in the order in which they are applied, as `graft import --trace`
/// prints them.
///
///     let trace = try ImportTrace("Hero", "101", in: model)
///     options.traces = [trace]
///     _ = try context.importPayloads(payloads)
///     for mention in trace.mentions { print(mention.path, mention.match) }
///
/// An import without traces does not look for mentions. With a trace, it reads the traced object before and after each dictionary.
package final class ImportTrace: Sendable {
  /// The way in which a payload mentions the object.
  package enum Match: String, Sendable {
    /// A dictionary that inserts the object, because no object had its identity.
    case inserted
    /// A dictionary with the identity of the object.
    case identity
    /// A dictionary with an alternate identity of the object (M27).
    case alternate
    /// A dictionary with the identity of a placeholder, which it fills.
    case filled
    /// An identifier.
    case identifier
    /// An identifier of an unknown object, which creates a placeholder.
    case placeholder
    /// A dictionary of another object that adds this object to a relationship, or removes it from one.
    case inverse
    /// A dictionary that is skipped.
    case skipped
    /// A dictionary that marks the object as deleted.
    case marked
    /// A decision at the end of the payload.
    case end
    /// The object is deleted at the end of the payload.
    case deleted
  }

  /// The effect of a mention on a property.
  package enum Effect: Sendable, Equatable {
    /// An attribute or a to-one relationship. `old` is nil if the property had not been set.
    case value(old: JSON?, new: JSON)
    /// A to-many relationship.
    case links(added: [String], removed: [String])
  }

  /// The source of a value.
  package enum Source: Sendable, Equatable {
    case keyPath(JSONKeyPath, isAlias: Bool)
    /// The relationship of another object, or another relationship of the object itself.
    case inverse(String)
    case defaultValue
    /// A value from outside the dictionary, whose key path is not shown.
    case surroundings
    /// An identifier that was looked up at the end of the payload, or the deletion of the object that it identified.
    case consequence
  }

  /// A property that a mention sets.
  package struct Change: Sendable, Equatable {
    package var property: String
    package var isRelationship: Bool
    package var effect: Effect
    package var source: Source
    /// The name of the attribute's transformer.
    package var transformer: String?
    /// The inverse that follows the relationship: `Power.heroes`.
    package var inverse: String?
    /// Whether values that are hidden (M29) are equal; nil if they are not hidden.
    package var isHiddenUnchanged: Bool?

    /// Whether the property is unchanged.
    package var isUnchanged: Bool {
      if let isHiddenUnchanged { return isHiddenUnchanged }
      return switch effect {
      case .value(let old, let new): old == new
      case .links(let added, let removed): added.isEmpty && removed.isEmpty
      }
    }
  }

  /// A location in a payload where the object is mentioned.
  package struct Mention: Sendable, Equatable {
    package var match: Match
    /// The name of the object or relationship that refers to this object.
    package var cause: String?
    package var path = ""
    package var line: Int?
    package var sourceName = ""
    package var changes: [Change] = []
  }

  /// The reason why a name does not belong to any object.
  package struct NameError: Error {
    package let message: String
  }

  /// The name of the object's entity.
  package let entityName: String
  /// The identity, in the form used in object names.
  package let identity: String
  /// The identity values; nil if they cannot be derived from the text alone.
  let values: [AttributeValue]?
  /// Whether the name hides the identity (M29).
  let hidesIdentity: Bool
  private let state = Guarded(State())

  private struct State {
    var mentions: [Mention] = []
    /// The mentions of an unfinished import.
    var pending: [Mention] = []
  }

  /// Creates a trace of the object with an identity.
  ///
  /// - Parameter identity: the identity values, in order, in the form used in object names: `101`, or `DAW,12`.
  /// - Throws: a ``NameError`` if no object can have that name.
  package init(_ entityName: String, _ identity: String, in model: ManagedObjectModel) throws(NameError) {
    guard let entity = model.plan.entity(named: entityName) else {
      throw NameError(message: "the model has no entity '\(entityName)'")
    }
    guard !entity.identitySlots.isEmpty else {
      throw NameError(message: "'\(entityName)' has no identity: each dictionary inserts a new object")
    }
    self.entityName = entityName
    self.identity = identity
    hidesIdentity = entity.hidesIdentity
    let attributes = entity.identitySlots.compactMap { entity.properties[$0].attribute }
    values =
      attributes.count == entity.identitySlots.count ? try ImportTrace.values(identity, of: attributes, entity) : nil
  }

  private static func values(
    _ identity: String, of attributes: [AttributeDescription], _ entity: EntityPlan
  ) throws(NameError) -> [AttributeValue] {
    let parts = IdentityText.values(identity, count: attributes.count)
    guard parts.count == attributes.count else {
      let names = attributes.map { "'\($0.name)'" }.joined(separator: ", ")
      throw NameError(
        message: "'\(entity.name)' is identified by \(names): expected \(attributes.count) values, found \(parts.count)"
      )
    }
    var values: [AttributeValue] = []
    for (part, attribute) in zip(parts, attributes) {
      guard let value = value(part, attribute.type) else {
        throw NameError(
          message: "'\(entity.name).\(attribute.name)' is declared \(attribute.type.rawValue), which "
            + "does not fit '\(part)'")
      }
      values.append(value)
    }
    return values
  }

  private static func value(_ part: String, _ type: AttributeType) -> AttributeValue? {
    switch type {
    case .string, .date, .binary, .uuid, .uri: return try? AttributeValue(json: .string(part), type: type)
    case .integer16, .integer32, .integer64, .float, .double, .decimal, .boolean, .json:
      guard let json = try? JSON(parsing: Array(part.utf8)) else { return nil }
      return try? AttributeValue(json: json, type: type)
    }
  }

  /// The name of the object: `Hero(101)`.
  package var name: String { "\(entityName)(\(hidesIdentity ? HiddenValue.text : identity))" }

  /// The mentions in the payloads that were imported and, if the last import failed, in the part of its payload that was read.
  package var mentions: [Mention] { state.withLock { $0.mentions + $0.pending } }

  // MARK: Recording

  /// Begins an import. The mentions of a failed import are discarded.
  func begin() { state.withLock { $0.pending = [] } }

  func append(_ mentions: [Mention]) { state.withLock { $0.pending += mentions } }

  /// Keeps the mentions of an import that succeeded.
  func keep() {
    state.withLock { state in
      state.mentions += state.pending
      state.pending = []
    }
  }
}
