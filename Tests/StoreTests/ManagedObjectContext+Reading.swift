import Graft
import Testing

extension ManagedObjectModel {
  /// Creates a model whose keys are the names of the properties.
  convenience init(entities: String) throws {
    try self.init(text: "{\"keyStrategy\": \"sameName\", \"entities\": {\(entities)}}", name: "m.json")
  }
}

extension ManagedObjectContext {
  /// Returns the object with an ID; the object must exist.
  func object(_ entity: String, _ id: Int) throws -> ManagedObject { try #require(try find(ofEntity: entity, id: id)) }

  /// Returns the sorted IDs of all objects of an entity.
  func ids(of entity: String) throws -> [Int] { try fetch(ofEntity: entity).compactMap { $0["id"] as Int? }.sorted() }

  /// Returns the IDs of the objects in a to-many relationship.
  func list(_ name: String, of entity: String, _ id: Int) throws -> [Int] {
    (try object(entity, id)[name] as [ManagedObject]).compactMap { $0["id"] as Int? }
  }
}
