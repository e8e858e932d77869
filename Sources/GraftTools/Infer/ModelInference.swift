package import Graft
import Foundation

/// Infers a first model from sample payloads.
///
///     let inference = ModelInference([.init(source)])
///     let result = try inference.run()
///     print(result.text)
///
/// The samples are read once, in time and memory proportional to their size: each member of an object takes 16 bytes, a hash
/// of its value and the number of its key. At most 64 different strings of each key are kept.
package struct ModelInference {
  /// A payload, and the facts about it.
  package struct Sample: Sendable {
    package var source: SourceText
    /// The name of the entity of its objects; nil if the names of keys and the file decide.
    package var entityName: String?
    /// The key path of the objects; empty if it must be found.
    package var keys: [String] = []
    /// Whether it is JSON Lines.
    package var isLines = false

    package init(_ source: SourceText, entityName: String? = nil, keys: [String] = [], isLines: Bool = false) {
      self.source = source
      self.entityName = entityName
      self.keys = keys
      self.isLines = isLines
    }
  }

  private let samples: [Sample]

  package init(_ samples: [Sample]) { self.samples = samples }

  /// Infers the model, checks it and imports the samples. If that fails, it starts again with fewer guesses.
  ///
  /// - Throws: an ``InferenceError`` if a sample is not JSON or holds no objects.
  ///
  /// - Parameter isCareful: whether to make only those guesses that no other sample is likely to contradict.
  package func run(isCareful: Bool = false) throws(InferenceError) -> InferredModel {
    var last: InferredModel?
    for caution in Caution.allCases where !isCareful || caution > .none {
      var model = try infer(caution)
      model.check(samples)
      if model.findings.isEmpty { return model }
      // Keep the first failure, which concerns the best model.
      if last == nil { last = model }
    }
    guard let last else { throw InferenceError("there are no samples") }
    return last
  }

  /// Samples with the same ID have objects of one entity at one key path, in documents of one form.
  private func id(_ sample: Int, areAlike: Bool) -> String {
    guard areAlike, let name = samples[sample].entityName else { return "#\(sample)" }
    return "\(name) \(samples[sample].keys)"
  }

  /// - Parameter areAlike: whether documents of one entity have one form: not an object here and an array there.
  private func infer(_ caution: Caution, areAlike: Bool = true) throws(InferenceError) -> InferredModel {
    let table = ShapeTable()
    var roots: [SampleRoot] = []
    /// The documents of samples with objects of one entity share a shape.
    var documents: [String: Int] = [:]
    for (number, sample) in samples.enumerated() {
      let name = sample.entityName ?? KeyNames.entityName(ofFile: sample.source.name)
      let id = id(number, areAlike: areAlike)
      let document = documents[id] ?? table.add(key: name, parent: nil)
      documents[id] = document
      do throws(JSONTextError) {
        try SampleReader.read(sample.source, isLines: sample.isLines, into: document, of: table)
      } catch {
        throw InferenceError(error.diagnostics)
      }
    }
    for number in Set(documents.values).sorted() { KeyedCollections(table: table).find(from: number) }
    for (number, sample) in samples.enumerated() {
      let name = sample.entityName ?? KeyNames.entityName(ofFile: sample.source.name)
      let id = id(number, areAlike: areAlike)
      guard var place = documents[id] else { continue }
      for key in sample.keys {
        guard let member = table[place].memberNumbers[UTF8Key(key)] else {
          throw InferenceError("\(sample.source.name): there is no key \"\(key.escapedForDisplay())\" to follow")
        }
        place = member
      }
      let sharing = samples.indices.count { self.id($0, areAlike: areAlike) == id && !samples[$0].isLines }
      let found = RootFinder(table: table, documents: sharing).roots(
        place, sample: number, keys: sample.keys, name: name, isNamedByUser: sample.entityName != nil)
      if areAlike, found.contains(where: { table[$0.shape].objects > 0 && table[$0.shape].arrays > 0 }) {
        return try infer(caution, areAlike: false)
      }
      guard !found.isEmpty else {
        throw InferenceError(
          "\(sample.source.name): expected an object or an array of objects to infer entities from, found "
            + RootFinder(table: table, documents: sharing).words(of: place, hasKeys: !sample.keys.isEmpty))
      }
      roots += found
    }
    return ModelDrafter(table: table, roots: roots, caution: caution).model(samples)
  }
}

/// The reason why no model can be inferred.
package struct InferenceError: DiagnosticError {
  package let diagnostics: [Diagnostic]

  init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  init(_ message: String) { diagnostics = [Diagnostic(.error, code: .syntaxError, message)] }
}
