import Testing
import Foundation
import GraftTestSupport
@testable import Graft
@Test func scratch() throws {
  let data = try Data(contentsOf: URL(fileURLWithPath: "/tmp/mtest/a.json"))
  let s = SourceText(name: "a.json", bytes: Array(data))
  print(DiagnosticRenderer(style: .excerpt).render(ModelFile.read(s, transformers: .standard).diagnostics))
}
