import Graft

/// The loader and the formatter of model files.
enum ModelTarget {
  static func check(_ input: [UInt8]) throws {
    let source = SourceText(name: "m.json", bytes: input)
    let (model, diagnostics) = ModelFile.read(source, transformers: .standard, unregisteredNames: .warning)
    try expect((model == nil) == diagnostics.contains { $0.severity == .error }, "a model has errors, or none is told")
    for diagnostic in diagnostics {
      guard let location = diagnostic.location, (0...input.count).contains(location.offset) else {
        throw BrokenLaw("a finding has no location inside the text: \(diagnostic)")
      }
      try ImportLaws.check(message: DiagnosticRenderer().render(diagnostic))
    }
    try checkLayout(source, model)
    guard let model else { return }
    let text = ModelFileWriter().text(of: model)
    let written = SourceText(name: "m.json", bytes: Array(text.utf8))
    let again = ModelFile.read(written, transformers: .standard, unregisteredNames: .warning)
    guard let read = again.model else {
      throw BrokenLaw("a model that was written has errors: \(again.diagnostics)\n\(text)")
    }
    try expect(ModelFileWriter().text(of: read) == text, "a model that was written is read as another one\n\(text)")
    // If all names are registered, the model can be used.
    if let loaded = try? ManagedObjectModel(text: text) { _ = ManagedObjectContext(model: loaded).dumpBytes() }
  }

  private static func checkLayout(_ source: SourceText, _ model: ModelDescription?) throws {
    let once: [UInt8]
    do throws(ModelError) {
      once = try ModelFileFormatter.format(source)
    } catch {
      return try expect(!error.diagnostics.isEmpty, "a model file that is not laid out has no errors")
    }
    let text = SourceText(name: "m.json", bytes: once)
    guard let twice = try? ModelFileFormatter.format(text) else { throw BrokenLaw("a layout has syntax errors") }
    try ImportLaws.expectSame(once, twice, "laying out twice is not laying out once")
    guard let model else { return }
    let read = ModelFile.read(text, transformers: .standard, unregisteredNames: .warning).model
    let before = ModelFileWriter().text(of: model)
    try expect(read.map { ModelFileWriter().text(of: $0) } == before, "a layout is another model")
  }
}
