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
    /// The keys that the entity of a model reads. If the document has enough of them, it is the object itself, regardless of its contents.
    package var knownKeys = KnownKeys()
    /// The keys that each entity reads in the model to be updated.
    package var entities: [KnownKeys] = []

    package init(_ source: SourceText, entityName: String? = nil, keys: [String] = [], isLines: Bool = false) {
      self.source = source
      self.entityName = entityName
      self.keys = keys
      self.isLines = isLines
    }

    /// Whether another sample has the same text, and is read in the same way.
    func isSame(as other: Self) -> Bool {
      source.bytes == other.source.bytes && entityName == other.entityName && keys == other.keys
        && isLines == other.isLines
    }
  }

  private let samples: [Sample]
  /// For each sample, the first one that is equal.
  private let firsts: [Int]
  /// Guesses that are not made.
  private let omitted: OptionalGuesses

  package init(_ samples: [Sample], without omitted: OptionalGuesses = []) {
    self.samples = samples
    self.omitted = omitted
    firsts = samples.map { sample in
      samples.firstIndex { $0.isSame(as: sample) } ?? 0
    }
  }

  /// The maximum number of attempts to infer a model without the guesses that the samples refute.
  private static let mostAttempts = 16

  /// Infers the model and tries it on the samples. A guess that they refute is discarded, and a different guess is made in its place.
  ///
  /// - Throws: an ``InferenceError`` if a sample is not JSON or contains no objects.
  ///
  /// - Parameter isCareful: whether to make only those guesses that no other sample is likely to contradict.
  package func run(isCareful: Bool = false) throws(InferenceError) -> InferredModel {
    var first: InferredModel?
    for caution in Caution.allCases where !isCareful || caution > .none {
      let model = try tried(caution)
      if model.description.entities.isEmpty { continue }
      if model.findings.isEmpty { return model }
      // Keep the first failure, which concerns the best model.
      if first == nil { first = model }
    }
    guard let first else { throw InferenceError("expected objects with keys that are properties, found none") }
    return first
  }

  /// Returns a model without the guesses that the samples refute, to the extent that they can be identified.
  private func tried(_ caution: Caution) throws(InferenceError) -> InferredModel {
    var refutations = Refutations()
    var model = try infer(caution, refutations)
    model.check(samples)
    for _ in 0..<Self.mostAttempts {
      var isNew = false
      for doubt in model.doubts where refutations.add(doubt.subject, doubt.reason) { isNew = true }
      guard isNew else { break }
      model = try infer(caution, refutations)
      model.check(samples)
    }
    model.refutedCount = refutations.count
    return model
  }

  /// Samples with the same ID have objects of one entity at one key path, in documents of one form.
  private func id(_ sample: Int, areAlike: Bool) -> String {
    guard areAlike, let name = samples[sample].entityName else { return "#\(firsts[sample])" }
    return "\(name) \(samples[sample].keys)"
  }

  private func name(_ sample: Int) -> String {
    samples[sample].entityName ?? KeyNames.entityName(ofFile: samples[firsts[sample]].source.name)
  }

  /// - Parameter areAlike: whether documents of one entity have one form: not an object here and an array there.
  private func infer(
    _ caution: Caution, _ refutations: Refutations, areAlike: Bool = true
  ) throws(InferenceError) -> InferredModel {
    let table = ShapeTable()
    var roots: [SampleRoot] = []
    /// The objects and arrays outside the roots.
    var unread: [JSONKeyPath] = []
    /// The documents of samples with objects of one entity share a shape.
    var documents: [String: Int] = [:]
    var repeated: [String: RepeatedObjects] = [:]
    let ids = samples.indices.map { id($0, areAlike: areAlike) }
    for (number, sample) in samples.enumerated() {
      let id = ids[number]
      let document = documents[id] ?? table.add(key: name(number), parent: nil)
      documents[id] = document
      table.beginSample()
      do throws(JSONTextError) {
        let isShared = ids.count { $0 == id } > 1
        let skipped =
          isShared
          ? try repeated[id, default: RepeatedObjects()].find(in: sample.source, isLines: sample.isLines) : []
        try SampleReader.read(
          sample.source, isLines: sample.isLines, into: document, of: table, skipping: skipped)
      } catch {
        throw InferenceError(error.diagnostics)
      }
    }
    for number in Set(documents.values).sorted() {
      LenientLists(table: table).find(from: number)
      KeyedCollections(table: table).find(from: number)
    }
    for (number, sample) in samples.enumerated() where sample.knownKeys.isKeyed {
      if let document = documents[ids[number]] {
        makeKeyed(table[document], sample.knownKeys, table)
      }
    }
    for (number, sample) in samples.enumerated() {
      let name = name(number)
      let id = ids[number]
      guard var place = documents[id] else { continue }
      for key in sample.keys { place = try follow(key, from: place, of: table, sample.source.name) }
      let sharing = samples.indices.count { ids[$0] == id && !samples[$0].isLines && firsts[$0] == $0 }
      let found = RootFinder(
        table: table, documents: sharing, known: sample.knownKeys, entities: sample.entities
      ).roots(
        place, sample: number, keys: sample.keys, name: name, isNamedByUser: sample.entityName != nil)
      if areAlike, found.contains(where: { table[$0.shape].objects > 0 && table[$0.shape].arrays > 0 }) {
        return try infer(caution, refutations, areAlike: false)
      }
      guard !found.isEmpty else {
        throw InferenceError(
          "\(sample.source.name): expected an object or an array of objects to infer entities from, found "
            + RootFinder(table: table, documents: sharing).words(of: place, hasKeys: !sample.keys.isEmpty))
      }
      if let (entity, facts) = sample.knownKeys.origin {
        for root in found { makeMaps(in: root.shape, of: entity, facts, table) }
      }
      roots += found
      for path in RootFinder(table: table, documents: sharing).unreadPaths(of: place, under: sample.keys, found)
      where !unread.contains(path) { unread.append(path) }
    }
    return ModelDrafter(
      table: table, roots: roots, unread: unread, caution: caution, refutations: refutations, omitted: omitted
    ).model(samples)
  }
}

extension ModelInference {
  /// Turns a document into a map if its values are objects that a model identifies by their keys.
  private func makeKeyed(_ document: SampleShape, _ known: KnownKeys, _ table: ShapeTable) {
    let members = table.members(document)
    guard
      known.describesValues(
        of: members.map { $0.arrays == 0 && $0.scalars == 0 ? table.members($0).map(\.key) : nil })
    else { return }
    makeMap(of: document, table)
  }

  /// Turns nested objects, at any depth, into maps if they are values of to-manys whose objects a model identifies by their keys.
  private func makeMaps(in objects: Int, of entity: EntityDescription, _ facts: ModelFacts, _ table: ShapeTable) {
    struct Visit: Hashable {
      var shape: Int
      var entityName: String
    }
    var seen: Set<Visit> = []
    var work = [(table[objects], entity)]
    while let (outer, entity) = work.popLast() {
      var shape = outer
      while let inner = shape.keyed ?? (shape.arrays > 0 ? shape.element : nil) { shape = table[inner] }
      guard seen.insert(Visit(shape: shape.number, entityName: entity.name)).inserted else { continue }
      for relationship in facts.family(entity).flatMap(\.relationships) {
        guard let destination = facts.entity(relationship.destinationName) else { continue }
        for path in [relationship.keyPath].compactMap(\.self) + relationship.keyPathAliases where !path.isKeyWord {
          var member: SampleShape? = shape
          for key in path.keys { member = member?.memberNumbers[UTF8Key(key)].map { table[$0] } }
          guard let member else { continue }
          if relationship.isToMany, facts.isKeyed(destination) { makeMap(of: member, table) }
          work.append((member, destination))
        }
      }
    }
  }

  private func makeMap(of shape: SampleShape, _ table: ShapeTable) {
    guard shape.keyed == nil, shape.objects > 0, shape.arrays == shape.emptyArrays, shape.scalars == 0,
      !shape.members.isEmpty
    else {
      return
    }
    table.makeKeyed(shape)
    shape.hasFreeKeys = false
    // An empty list is an empty map.
    (shape.arrays, shape.emptyArrays) = (0, 0)
  }

  /// Whether a sample has no objects of its entity, such as the page after the last one.
  package static func isEmptyPage(_ sample: Sample) -> Bool {
    let table = ShapeTable()
    let document = table.add(key: "", parent: nil)
    table.beginSample()
    let isRead: Void? = try? SampleReader.read(
      sample.source, isLines: sample.isLines, into: document, of: table, skipping: [])
    guard isRead != nil, !sample.isLines else { return false }
    var place = table[document]
    for key in sample.keys {
      guard let member = place.memberNumbers[UTF8Key(key)] else { return false }
      place = table[member]
    }
    return PageForm(table).isEmpty(place, of: sample.knownKeys.origin == nil ? nil : sample.knownKeys)
  }

  /// Returns the shape of the values under a key of a key path; `edges[]` is each element of an array.
  private func follow(
    _ key: String, from place: Int, of table: ShapeTable, _ sourceName: String
  ) throws(InferenceError) -> Int {
    if let member = table[place].memberNumbers[UTF8Key(key)] { return member }
    let name = key.hasSuffix(JSONKeyPath.brackets) ? String(key.dropLast(JSONKeyPath.brackets.count)) : key
    if name != key, let array = table[place].memberNumbers[UTF8Key(name)], let element = table[array].element {
      return element
    }
    throw InferenceError("\(sourceName): there is no key \"\(name.escapedForDisplay())\" to follow")
  }
}

/// The reason why no model can be inferred.
package struct InferenceError: DiagnosticError {
  package let diagnostics: [Diagnostic]

  init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  init(_ message: String) { diagnostics = [Diagnostic(.error, code: .syntaxError, message)] }
}
