/// The ID of a managed object. It is Sendable, and can be used where the object itself cannot.
///
///     let id = hero.objectID                                   // Hero(1699)
///     let name = try await background.perform { context in try context.find(Hero.self, id)?.name }
///
/// The ID of an object with an identity consists of that identity ([I2](doc:Rules#I2)). Two IDs with the same identity are equal,
/// regardless of the context in which they were created. Such IDs can be encoded, and find the object in every context that has an object
/// with that identity. The ID of an object without an identity is valid only in its own context, and in contexts that restored a snapshot
/// of that context.
public struct ManagedObjectID: Sendable, Hashable {
  enum Key: Hashable, Sendable {
    case identity(Identity)
    /// A number that no other object in the process has.
    case number(RowNumbers.Number)
  }

  /// An identity that is valid in every context.
  struct Identity: Hashable, Sendable {
    /// A value, or the identity of the owner inside which an object is identified (M12).
    enum Part: Hashable, Sendable {
      case value(JSON)
      indirect case owner(Identity)
    }

    /// The entity that declares the identity attributes and represents the identity space (M8).
    var space: String
    var parts: [Part]

    /// The values as JSON. An owner is represented by its own identifier.
    var values: [JSON] {
      parts.map { part in
        switch part {
        case .value(let value): value
        case .owner(let owner): owner.parts.count == 1 ? owner.values[0] : .array(owner.values)
        }
      }
    }
  }

  /// The entity of the object when the ID was created. Two IDs of one object are equal even if their entities differ, because a
  /// placeholder may have become an object of a sub-entity in the meantime.
  public let entityName: String
  let key: Key
  /// Whether the description hides the identity ([M29](doc:Rules#M29)).
  let hidesIdentity: Bool

  init(entityName: String, key: Key, hidesIdentity: Bool) {
    self.entityName = entityName
    self.key = key
    self.hidesIdentity = hidesIdentity
  }

  /// The values of the identity attributes, in order and in their JSON form; nil if the object has no identity.
  public var identity: [JSON]? {
    if case .identity(let identity) = key { identity.values } else { nil }
  }

  /// Returns whether two IDs identify the same object.
  public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool { left.key == right.key }

  /// Hashes the identity, or the number of an object without an identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension ManagedObjectID: CustomStringConvertible {
  /// The entity and identity, as in the description of the object: `Hero(1699)`. An object without an identity is shown with a
  /// number that only distinguishes it from other objects.
  public var description: String {
    switch key {
    case .identity(let identity): GraphNames.name(entityName, identity.values, isHidden: hidesIdentity)
    case .number(let number): "\(entityName)(number \(number.value))"
    }
  }
}

extension ManagedObjectID: CustomReflectable {
  /// The description, so that Swift's `dump(_:)` reveals no more than the description ([M29](doc:Rules#M29)).
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

/// An ID is encoded as `{"entity": "Hero", "space": "Hero", "identity": ["1699"]}`, with each value as its JSON text. If the object is
/// identified inside an owner, the owner's part is the JSON text of `{"space": "Order", "identity": ["7"]}`.
extension ManagedObjectID: Codable {
  private enum CodingKeys: String, CodingKey { case entity, space, identity, isHidden }

  /// Encodes the ID.
  ///
  /// - Throws: an `EncodingError` if the object has no identity, because its ID is meaningless outside this process.
  public func encode(to encoder: any Encoder) throws {
    guard case .identity(let identity) = key else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "'\(self)' has no identity, so its ID is valid only in this process"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entityName, forKey: .entity)
    try container.encode(identity.space, forKey: .space)
    try container.encode(identity.parts.map { JSONWriter.text(of: $0.json) }, forKey: .identity)
    if hidesIdentity { try container.encode(true, forKey: .isHidden) }
  }

  /// Decodes an ID.
  ///
  /// - Throws: a `DecodingError` if the decoder does not contain an encoded ID.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let isHidden = try container.decodeIfPresent(Bool.self, forKey: .isHidden) ?? false
    let texts = try container.decode([String].self, forKey: .identity)
    let parts = try texts.map { text in
      guard let part = (try? JSON(text: text)).flatMap(Identity.Part.init) else {
        throw DecodingError.dataCorruptedError(
          forKey: .identity, in: container,
          debugDescription: "expected the text of a JSON value, found '\(isHidden ? HiddenValue.text : text)'")
      }
      return part
    }
    guard !parts.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .identity, in: container, debugDescription: "expected the values of the identity attributes, found none"
      )
    }
    self.init(
      entityName: try container.decode(String.self, forKey: .entity),
      key: .identity(Identity(space: try container.decode(String.self, forKey: .space), parts: parts)),
      hidesIdentity: isHidden)
  }
}

extension ManagedObjectID.Identity.Part {
  /// The part as it appears in an encoded ID.
  fileprivate var json: JSON {
    switch self {
    case .value(let value): value
    case .owner(let owner):
      ["space": .string(owner.space), "identity": .array(owner.parts.map { .string(JSONWriter.text(of: $0.json)) })]
    }
  }

  /// Reads a part of an encoded ID; nil if the JSON does not represent a part.
  fileprivate init?(json: JSON) {
    guard case .object(let owner) = json else {
      if json.isNull { return nil }
      self = .value(json)
      return
    }
    guard let space = owner["space"]?.stringValue, case .array(let texts)? = owner["identity"] else { return nil }
    var parts: [ManagedObjectID.Identity.Part] = []
    for text in texts {
      guard let text = text.stringValue, let json = try? JSON(text: text),
        let part = ManagedObjectID.Identity.Part(json: json)
      else { return nil }
      parts.append(part)
    }
    self = .owner(ManagedObjectID.Identity(space: space, parts: parts))
  }
}
