import Foundation
import Graft
import Testing

func problems(_ error: some DiagnosticError) -> [[String: String]] {
  error.diagnostics.map { diagnostic in
    ["code": diagnostic.code.rawValue, "message": diagnostic.message, "path": diagnostic.path ?? "$"]
  }
}

func isTemporary(_ error: any Error) -> Bool {
  switch error {
  // Another context changed the same objects: roll back, merge, and repeat.
  case is ConflictError: true
  // The disk is full, another process kept the file busy, or a server cannot be reached.
  case let error as StoreError: error.diagnostics.contains { $0.code == .unavailableStore }
  default: false
  }
}

extension GuideTests {
  @Test("Validation and errors: the program can show errors and decide what to do")
  func errors() throws {
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    let context = try Self.context()
    let response = #"{"data": [{"id": 33, "title": "Duos", "starts_at": "2025-07-06", "price": "7.50"}]}"#
    do {
      try context.importJSON(
        response, into: Concert.self, at: "data", options: ImportOptions(sourceName: "concerts.json"))
    } catch {
      print(DiagnosticRenderer().render(error.diagnostics))
      print(DiagnosticRenderer(style: .line).render(error.diagnostics))
    }
    let lines = printed.take()
    let blocks = ReadmeTests.blocks("", in: try ReadmeTests.page("Errors"))
    let shown = try #require(blocks.first { $0.hasPrefix("concerts.json:") })
    #expect(lines.hasPrefix(shown), "\(lines)")

    let error = #expect(throws: ImportError.self) { try context.importJSON(response, into: Concert.self, at: "data") }
    let found = try #require(error)
    #expect(problems(found).map { $0["path"] } == ["$.data[0].starts_at"])
    #expect(!isTemporary(found) && isTemporary(StoreError(.unavailableStore, "")))
  }

  @Test("Validation and errors: the valid elements are imported")
  func faultyElements() throws {
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    let context = try Self.context()
    let response = """
      {"data": [{"id": 33, "title": "Duos", "starts_at": "2025-07-06", "price": "7.50"},
        {"id": 34, "title": "Trios", "starts_at": "2025-07-06T20:00:00Z", "price": "7.50"}]}
      """
    let options = ImportOptions(faultyElements: .skip)
    let report = try context.importJSON(response, into: Concert.self, at: "data", options: options)
    for element in report.faultyElements { print(element.path, element.diagnostics.map(\.message)) }
    #expect(printed.take().hasPrefix("$.data[0] [\"expected a date"))
    #expect(report.inserted["Concert"] == 1)
  }

  @Test("Validation and errors: an object created in code is checked when it is committed")
  func validation() throws {
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    let context = try Self.context()
    let concert = context.insert(Concert.self)
    concert.title = "Duos"
    do {
      try context.commit()
    } catch let error as ValidationError {
      for diagnostic in error.diagnostics { print(diagnostic.message) }
      context.rollBack()
    }
    #expect(printed.take().contains("'Concert.startsAt'") && !context.hasChanges)
  }
}
