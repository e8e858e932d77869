import Foundation
import Graft
import Testing

extension GuideTests {
  @Test("Exporting: the contents of exports, and copies")
  func exporting() throws {
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    let context = try Self.context()
    let list = try jsonString(
      from: context.fetch(Concert.self, sortedBy: \.startsAt),
      options: ExportOptions(identifiersOnly: true, properties: ["Concert": ["title", "venue"]]))
    print(list)
    #expect(try ReadmeTests.page("Exporting").contains("This prints `\(printed.take())`"), "\(list)")

    let options = ExportOptions(sharedObjects: .once, maxDepth: 6)
    let body = try json(from: context.fetch(Concert.self), options: options)  // for other libraries
    #expect((body as? [[String: Any]])?.count == 2)

    let copy = ManagedObjectContext(model: context.model)
    try copy.importJSON(jsonData(from: context.fetch(Concert.self)), into: Concert.self)
    print(try jsonData(from: copy.fetch(Concert.self)) == jsonData(from: context.fetch(Concert.self)))
    #expect(printed.take() == "true")
  }
}
