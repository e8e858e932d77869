import Graft

/// A model with properties for each kind of attack.
enum HostileModel {
  static func context() throws -> ManagedObjectContext { ManagedObjectContext(model: try model.get()) }

  private static let model = Result { () throws(ModelError) in
    try ManagedObjectModel(
      text: #"""
        {
          "entities": {
            "Node": {
              "identityAttributes": "id",
              "attributes": {
                "id": {"type": "string", "JSONKeyPath": "id"},
                "number": {"type": "integer64", "optional": true, "JSONKeyPath": "number"},
                "text": {"type": "string", "optional": true, "JSONKeyPath": "text"},
                "value": {"type": "json", "optional": true, "JSONKeyPath": "value"}
              },
              "relationships": {
                "hub": {"destination": "Node", "inverse": "spokes", "JSONKeyPath": "hub"},
                "spokes": {"destination": "Node", "toMany": true, "inverse": "hub", "JSONKeyPath": "spokes"},
                "others": {"destination": "Node", "toMany": true, "ordered": true, "JSONKeyPath": "others"},
                "next": {"destination": "Node", "JSONKeyPath": "next"}
              }
            },
            "Count": {
              "identityAttributes": "id",
              "attributes": {
                "id": {"type": "integer64", "JSONKeyPath": "id"},
                "exact": {"type": "double", "optional": true, "JSONKeyPath": "exact"}
              }
            }
          }
        }
        """#, name: "Hostile.json")
  }
}
