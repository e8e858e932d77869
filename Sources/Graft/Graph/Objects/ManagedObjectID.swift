/// What stands for a managed object outside of its context: Sendable, so that it can go where the object must not (C3).
///
///     let id = hero.objectID                                   // Hero(1699)
///     let name = await background.perform { context in context.find(Hero.self, id)?.name }
///
/// An object with an identity (I2) has an id made of it: two such ids are equal wherever they were made, find the object in
/// every context that has one with that identity, and can be encoded. An object without one has an id that is good in its own
/// context, and in those that took over a snapshot of it.
public struct ManagedObjectID: Sendable, Hashable {
  enum Key: Hashable, Sendable {
    /// The entity that declares the identity attributes, which stands for the identity space (M8), and their values.
    case identity(space: String, values: [JSON])
    /// A number that no other object of the process has.
    case number(RowNumbers.Number)
  }

  /// The entity that the object had when the id was made. Two ids of one object are equal even if it differs: a placeholder
  /// may have become an object of a sub-entity in between.
  public let entityName: String
  let key: Key

  init(entityName: String, key: Key) {
    self.entityName = entityName
    self.key = key
  }

  /// The values of the identity attributes, in their order and as JSON writes them; nil if the object has no identity.
  public var identity: [JSON]? {
    if case .identity(_, let values) = key { values } else { nil }
  }

  /// Whether both stand for one object.
  public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool { left.key == right.key }

  /// By what stands for the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension ManagedObjectID: CustomStringConvertible {
  /// The entity and the identity, as the object itself prints: `Hero(1699)`. An object without identity has a number that says
  /// nothing but which is which.
  public var description: String {
    switch key {
    case .identity(_, let values): "\(entityName)(\(GraphNames.text(values)))"
    case .number(let number): "\(entityName)(number \(number.value))"
    }
  }
}

/// Encoded as `{"entity": "Hero", "space": "Hero", "identity": ["1699"]}`: each value as the text that JSON writes.
extension ManagedObjectID: Codable {
  private enum CodingKeys: String, CodingKey { case entity, space, identity }

  /// Encodes the id.
  ///
  /// - Throws: an `EncodingError` if the object has no identity: its id means nothing outside of this process.
  public func encode(to encoder: any Encoder) throws {
    guard case .identity(let space, let values) = key else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "'\(self)' has no identity: its id means nothing outside of this process"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entityName, forKey: .entity)
    try container.encode(space, forKey: .space)
    try container.encode(values.map { JSONWriter.text(of: $0) }, forKey: .identity)
  }

  /// Decodes an id that was encoded.
  ///
  /// - Throws: a `DecodingError` if the decoder holds something else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let texts = try container.decode([String].self, forKey: .identity)
    let values = try texts.map { text in
      var text = text
      guard let value = try? text.withUTF8({ try JSONBuilder.json($0) }), !value.isNull else {
        throw DecodingError.dataCorruptedError(
          forKey: .identity, in: container, debugDescription: "expected the text of a JSON value, found '\(text)'")
      }
      return value
    }
    guard !values.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .identity, in: container, debugDescription: "expected the values of the identity attributes, found none"
      )
    }
    self.init(
      entityName: try container.decode(String.self, forKey: .entity),
      key: .identity(space: try container.decode(String.self, forKey: .space), values: values))
  }
}
