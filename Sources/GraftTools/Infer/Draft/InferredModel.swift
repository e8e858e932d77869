package import Graft

/// A model that was inferred from samples, and the result of importing them with it.
package struct InferredModel {
  /// Objects of an entity in a sample.
  package struct Part {
    /// The number of the sample.
    package var sample: Int
    package var entityName: String
    /// The key path under which the sample has the objects; empty for the whole document.
    package var keys: [String]

    /// The key path, or nil for the whole document.
    package var keyPath: JSONKeyPath? {
      guard !keys.isEmpty else { return nil }
      return keys.contains { $0.hasSuffix(JSONKeyPath.brackets) }
        ? JSONKeyPath(keys.joined(separator: ".")) : JSONKeyPath(keys: keys)
    }
  }

  /// The model.
  package let description: ModelDescription
  /// The text of the model file, with comments.
  package let text: String
  /// The parts of the samples, in order.
  package let parts: [Part]
  /// The findings of the linter, and the errors of importing the samples. Empty if there are none.
  package internal(set) var findings: [Diagnostic] = []
  /// The report of importing the samples.
  package internal(set) var report: ImportReport?
  /// The guesses that the samples refute.
  var doubts: [Doubt] = []
  /// The number of guesses that were discarded, because the samples refute them.
  package internal(set) var refutedCount = 0
  let caution: Caution
  /// The places where the properties were found.
  let origins: DraftOrigins
  /// The different strings of each attribute, by entity and name, unless there are many.
  let texts: [String: [String]]

  init(_ writer: DraftWriter, _ parts: [Part], _ caution: Caution) {
    description = writer.description
    text = writer.text
    texts = writer.texts
    origins = DraftOrigins(writer.drafts)
    self.parts = parts
    self.caution = caution
  }

  /// Whether all guesses of a kind were discarded, because the samples could not be imported with them.
  package var isSimplified: Bool { caution > .none }

  /// Checks the text of a model like the linter, and imports the samples with it.
  package func result(
    of text: String, name: String, _ samples: [ModelInference.Sample], unknownKeys: ImportOptions.UnknownKeys = .ignore
  ) -> (findings: [Diagnostic], report: ImportReport?) {
    let source = SourceText(name: name, bytes: Array(text.utf8))
    let findings = ModelFile.read(source, transformers: .standard).diagnostics
    if findings.contains(where: { $0.severity == .error }) { return (findings, nil) }
    do {
      let model = try ManagedObjectModel(text: text, name: name)
      return (findings, try importSamples(samples, into: ManagedObjectContext(model: model), unknownKeys))
    } catch let error as any DiagnosticError {
      return (findings + error.diagnostics, nil)
    } catch {
      return (findings + [Diagnostic(.error, code: .syntaxError, "\(error)")], nil)
    }
  }

  /// Imports the samples as one payload.
  package func importSamples(
    _ samples: [ModelInference.Sample], into context: ManagedObjectContext,
    _ unknownKeys: ImportOptions.UnknownKeys = .ignore
  ) throws(ImportError) -> ImportReport {
    guard samples.contains(where: \.isLines) else {
      return try context.importPayloads(
        parts.map { part in
          let source = samples[part.sample].source
          // A sample may lack a part that another sample has.
          return ImportPayload(
            part.entityName, bytes: source.bytes, at: part.keyPath, isRequired: part.keys.isEmpty,
            options: ImportOptions(sourceName: source.name, unknownKeys: unknownKeys))
        })
    }
    var last: ImportStream?
    var report = ImportReport()
    for (number, part) in parts.enumerated() {
      let sample = samples[part.sample]
      let stream = try ImportStream(
        after: last, ofEntity: part.entityName, in: context, at: part.keyPath,
        format: sample.isLines ? .lines : .document, batches: ImportBatches(atomicity: .whole),
        options: ImportOptions(sourceName: sample.source.name, unknownKeys: unknownKeys), totalBytes: nil, rereads: nil,
        progress: { _ in })
      last = stream
      do throws(ImportError) {
        try stream.append(sample.source.bytes)
        if number < parts.count - 1 { try stream.end() } else { report = try stream.finish() }
      } catch {
        stream.cancel()
        throw error
      }
    }
    return report
  }
}
