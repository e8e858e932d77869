import Graft
import Testing

@Suite("Edited placeholders") struct PlaceholderEditTests {
  private static let model = """
    {"entities": {
      "Hero": {
        "identityAttributes": "id",
        "attributes": {
          "id": {"type": "integer64", "JSONKeyPath": "id"},
          "name": {"type": "string", "optional": true, "JSONKeyPath": "name"},
          "level": {"type": "integer16", "default": 1, "JSONKeyPath": "level"}
        },
        "relationships": {"mentor": {"destination": "Hero", "JSONKeyPath": "mentor"}}
      }
    }}
    """

  @Test(
    "I4: a placeholder becomes a full object when a property other than its identity is set, and is exported in full")
  func filledByHand() throws {
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: Self.model))
    let robin = try object(ofEntity: "Hero", fromJSON: #"{"id": 2, "mentor": 1}"#, in: context)
    let batman = try #require(try context.find(ofEntity: "Hero", identity: 1))
    #expect(batman.isPlaceholder)

    try batman.setValue(.string("Batman"), of: "name")

    #expect(!batman.isPlaceholder)
    #expect(try batman.value(of: "level", as: Int.self) == 1)
    let text = String(decoding: try jsonData(from: robin), as: UTF8.self)
    #expect(text == #"{"id":2,"name":null,"level":1,"mentor":{"id":1,"name":"Batman","level":1,"mentor":null}}"#)

    context.rollBack()
    #expect(batman.isPlaceholder)
  }
}
