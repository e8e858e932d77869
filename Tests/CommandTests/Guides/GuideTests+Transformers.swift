import Graft
import Testing

final class Photo: ManagedObject {
  var width: Int? { self["width"] }
  var height: Int? { self["height"] }
  var ratio: Double? {
    get { self["ratio"] }
    set { self["ratio"] = newValue }
  }
}

extension Photo: ImportObserving {
  static func shouldImport(_ payload: JSON) -> Bool { payload["deleted"]?.booleanValue != true }

  func didImport(_ payload: JSON) {
    guard let width, let height else { return }
    ratio = Double(width) / Double(height)
  }
}

extension GuideTests {
  @Test("Transformers: hooks skip dictionaries and derive values")
  func hooks() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {"Photo": {"identityAttributes": "id", "attributes": {
          "id": "integer64", "width": "integer32", "height": "integer32", "ratio": {"type": "double", "optional": true}}}}}
        """, classes: [Photo.self])
    let context = ManagedObjectContext(model: model)
    try context.importJSON(
      #"[{"id": 1, "width": 4, "height": 2}, {"id": 2, "deleted": true}]"#, into: Photo.self)
    #expect(try context.fetch(Photo.self).map(\.ratio) == [2])
  }
}
