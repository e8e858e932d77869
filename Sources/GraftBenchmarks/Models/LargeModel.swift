/// A model of 50 entities with 20 properties each: 16 attributes and 4 relationships, in pairs (P14).
enum LargeModel {
  static let entities = 50

  static let text: String = {
    let types = ["integer64", "string", "double", "boolean", "date", "decimal", "uuid", "uri"]
    var entities: [String] = []
    for entity in 0..<Self.entities {
      var attributes = [#""identifier": {"type": "integer64", "JSONKeyPath": "id"}"#]
      for attribute in 1..<16 {
        attributes.append(
          """
          "attribute\(attribute)": {"type": "\(types[attribute % types.count])", "optional": true, \
          "JSONKeyPath": "group_\(attribute % 3).attribute_\(attribute)"}
          """)
      }
      // Each entity owns items of the next two entities, and is owned by the previous two.
      let relationships = [1, 2].map { distance in
        """
        "items\(distance)": {"destination": "Entity\((entity + distance) % Self.entities)", "toMany": true, \
        "inverse": "owner\(distance)", "JSONKeyPath": "items_\(distance)"}, \
        "owner\(distance)": {"destination": "Entity\((entity + Self.entities - distance) % Self.entities)", \
        "inverse": "items\(distance)", "JSONKeyPath": "owner_\(distance)"}
        """
      }
      entities.append(
        """
        "Entity\(entity)": {
          "identityAttributes": "identifier",
          "attributes": {
            \(attributes.joined(separator: ",\n    "))
          },
          "relationships": {
            \(relationships.joined(separator: ",\n    "))
          }
        }
        """)
    }
    return "{\"name\": \"Large\", \"entities\": {\n\(entities.joined(separator: ",\n"))\n}}\n"
  }()
}
