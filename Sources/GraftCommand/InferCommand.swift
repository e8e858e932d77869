import Graft
import GraftTools

/// `graft infer`: drafts a model from sample payloads.
struct InferCommand {
  static let options: [Arguments.Option] = [
    .init(name: "--output", value: "MODEL", summary: "where to write the model file"),
    .init(name: "--at", value: "KEYPATH", isRepeatable: true, summary: "where the objects are in the payload"),
    .init(name: "--lines", summary: "payloads are JSON Lines"),
    .init(
      name: "--without", value: "GUESS", isRepeatable: true,
      summary: "guesses not to make: \(OptionalGuesses.words.map(\.word).joined(separator: ", "))"),
    .init(name: "--update", value: "MODEL", summary: "add to this model what the payloads show"),
  ]

  let payloads: [(entityName: String?, path: String)]
  let keyPaths: [JSONKeyPath?]
  let hasKeyPaths: Bool
  let hasLines: Bool
  /// The guesses that are not made.
  let omitted: OptionalGuesses
  let outputPath: String
  /// The model to add to; nil for a new one.
  let updatedPath: String?

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: InferCommand.options)
    guard !arguments.operands.isEmpty else { throw .usage("no payload is given: [ENTITY=]PAYLOAD...") }
    payloads = arguments.operands.map(InferCommand.payload)
    guard payloads.count(where: { $0.path == "-" }) < 2 else {
      throw .usage("standard input can be read only once")
    }
    hasKeyPaths = !arguments.values(of: "--at").isEmpty
    keyPaths = try ImportCommand.keyPaths(arguments.values(of: "--at"), payloads.count)
    hasLines = arguments.has("--lines")
    omitted = try InferCommand.guesses(arguments.values(of: "--without"))
    updatedPath = arguments.value(of: "--update")
    outputPath = arguments.value(of: "--output") ?? updatedPath ?? "-"
    guard updatedPath != "-" || !payloads.contains(where: { $0.path == "-" }) else {
      throw .usage("standard input can be read only once")
    }
  }

  private static func guesses(_ words: [String]) throws(Failure) -> OptionalGuesses {
    var guesses: OptionalGuesses = []
    for word in words {
      guard let found = OptionalGuesses.words.first(where: { $0.word == word }) else {
        let known = OptionalGuesses.words.map(\.word)
        let near = Suggestion.nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
        throw .usage("expected \(known.joined(separator: ", ")) for '--without', found '\(word)'\(near)")
      }
      guesses.formUnion(found.guess)
    }
    return guesses
  }

  /// Reads `Hero=heroes.json`, or a file alone. A word with a slash before the equals sign is a path.
  private static func payload(_ word: String) -> (entityName: String?, path: String) {
    let parts = word.parts(between: "=", most: 1)
    guard parts.count == 2, !parts[1].isEmpty, NameRules.isSwiftIdentifier(parts[0]),
      NameRules.fault(inEntityName: parts[0]) == nil
    else { return (nil, word) }
    return (parts[0], parts[1])
  }

  /// Infers and writes the model, then reports what it contains.
  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    try Output.check([outputPath], model: nil, store: nil, payloads: payloads.map(\.path))
    var reader = FileReader(streams)
    var samples: [ModelInference.Sample] = []
    for (payload, keyPath) in zip(payloads, keyPaths) {
      samples.append(
        ModelInference.Sample(
          SourceText(name: FileReader.displayName(payload.path), bytes: try reader.read(payload.path)),
          entityName: payload.entityName, keys: keyPath?.keys ?? [], isLines: hasLines))
    }
    // '--at .' is the document.
    if hasKeyPaths {
      for (index, keyPath) in keyPaths.enumerated() where keyPath == nil { samples[index].knownKeys = .all }
    }
    if let updatedPath { return try update(updatedPath, samples, &reader, streams) }
    let model = try infer(samples)
    try write(Array(model.text.utf8), streams)
    streams.say(summary(model))
    guard model.findings.isEmpty else {
      throw .diagnostics(model.findings) { "\($0): the samples cannot be imported with the model" }
    }
    return .done
  }

  /// Adds everything that the samples show to a model, and reports the changes.
  private func update(
    _ path: String, _ samples: [ModelInference.Sample], _ reader: inout FileReader, _ streams: Streams
  ) throws(Failure) -> ExitStatus {
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    let (known, diagnostics) = ModelFile.read(source, transformers: .standard, unregisteredNames: .warning)
    guard let known else { throw .diagnostics(diagnostics) { "\($0); the model was not changed" } }
    let facts = ModelFacts(known)
    var samples = samples
    let entities = known.entities.filter { $0.parentName == nil }.map { KnownKeys(of: $0, in: facts) }
    for index in samples.indices {
      samples[index].entities = entities
      // The user may name one entity of a hierarchy, although the list can also contain objects of the other entities.
      guard let entity = samples[index].entityName.flatMap(facts.entity), let root = facts.lineage(entity).last,
        root.entityMapper?.cases.contains(where: { $0.entityName == entity.name }) == true
      else { continue }
      samples[index].entityName = root.name
    }
    let guesses = hasKeyPaths ? [] : nameUnnamed(&samples, facts)
    for index in samples.indices where !hasKeyPaths {
      let name = samples[index].entityName ?? KeyNames.entityName(ofFile: samples[index].source.name)
      guard let entity = facts.entity(name) else { continue }
      samples[index].knownKeys = KnownKeys(of: entity, in: facts)
    }
    samples.removeAll(where: ModelInference.isEmptyPage)
    if samples.isEmpty {
      streams.say("\(FilePath.shown(path)):\n  nothing to change: the samples have no objects\n")
      try write(source.bytes, streams)
      return .done
    }
    let inferred = try infer(samples, isCareful: true)
    let update: ModelUpdate
    do throws(ModelError) {
      update = try ModelUpdate(source, known, inferred, samples)
    } catch {
      throw .diagnostics(error.diagnostics) { "\($0); the model was not changed" }
    }
    let changed = SourceText(name: source.name, bytes: Array(update.text.utf8))
    let (model, faults) = ModelFile.read(changed, transformers: .standard, unregisteredNames: .warning)
    guard model != nil else {
      throw .diagnostics(faults) { "\($0) in the changed model, which was not written" }
    }
    let name = outputPath == "-" ? "MODEL" : FilePath.shown(outputPath)
    let result = inferred.result(of: update.text, name: name, samples, unknownKeys: .report)
    let errors = result.findings.filter { $0.severity == .error }
    let isUnknown = !errors.isEmpty && errors.allSatisfy { ModelUpdate.namesOfPrograms.contains($0.code) }
    guard errors.isEmpty || isUnknown else {
      throw .diagnostics(result.findings) {
        "\($0): the samples cannot be imported with the changed model, which was not written; to infer a new one, give 'graft infer' "
          + "all samples without '--update'"
      }
    }
    try write(changed.bytes, streams)
    var lines = guesses + (update.changes.isEmpty ? ["nothing to change"] : update.changes)
    if let report = result.report { lines += update.losses(report, samples) }
    streams.say("\(name):\n" + lines.map { "  \($0)\n" }.joined())
    if isUnknown {
      streams.say("the samples were not imported: the model names transformers or mappers that only your program has\n")
    } else {
      streams.say(result.findings + (result.report?.warnings ?? []))
    }
    return .done
  }

  private func write(_ model: [UInt8], _ streams: Streams) throws(Failure) {
    var output = Output()
    try output.add(model, to: outputPath)
    try output.writeFiles()
    try output.writeDocument(streams)
  }

  /// Names the entity of payloads that the user did not name, if their objects match one entity of the model.
  ///
  /// - Returns: the assumptions, one line for each payload.
  private func nameUnnamed(_ samples: inout [ModelInference.Sample], _ facts: ModelFacts) -> [String] {
    var lines: [String] = []
    for index in samples.indices where samples[index].entityName == nil {
      guard let known = entity(of: samples[index], facts) else { continue }
      samples[index].entityName = known
      let file = FilePath.word(payloads[index].path)
      lines.append(
        "the objects of \(file) are read as '\(known)'; if they belong to a different entity, write ENTITY=\(file)")
    }
    return lines
  }

  /// Returns the entity of the model whose objects an unnamed payload contains. Returns nil if the names of its keys or its file
  /// already determine the entity, if no entity matches, or if several may match.
  private func entity(of sample: ModelInference.Sample, _ facts: ModelFacts) -> String? {
    guard let inferred = try? infer([sample], isCareful: true) else { return nil }
    if inferred.parts.contains(where: { facts.entity($0.entityName) != nil }) { return nil }
    let own = ModelFacts(inferred.description)
    if inferred.parts.count == 1, let part = inferred.parts.first, part.keys.isEmpty,
      let entity = own.entity(part.entityName), let known = facts.entity(readingMostOf: entity, in: own)
    {
      return known
    }
    // Its keys may be the keys of a map.
    var maps: [String] = []
    for entity in facts.model.entities where entity.parentName == nil {
      var copy = sample
      copy.entityName = entity.name
      copy.knownKeys = KnownKeys(of: entity, in: facts)
      // Any document could be a map of values.
      guard copy.knownKeys.isKeyed, !copy.knownKeys.readsValues else { continue }
      guard let map = try? infer([copy], isCareful: true) else { continue }
      let attributes = map.description.entities.first { $0.name == entity.name }?.attributes ?? []
      if attributes.contains(where: { $0.keyPath?.isObjectKey == true }) { maps.append(entity.name) }
    }
    return maps.count == 1 ? maps[0] : nil
  }

  private func infer(
    _ samples: [ModelInference.Sample], isCareful: Bool = false
  ) throws(Failure) -> InferredModel {
    do throws(InferenceError) {
      return try ModelInference(samples, without: omitted).run(isCareful: isCareful)
    } catch {
      let diagnostics = hasLines ? error.diagnostics : error.diagnostics.map(LinesHint.hinted)
      throw .diagnostics(diagnostics) { "\($0); no model was inferred" }
    }
  }

  // MARK: The summary

  private func summary(_ model: InferredModel) -> String {
    let name = outputPath == "-" ? "MODEL" : FilePath.shown(outputPath)
    let count = model.description.entities.count
    var lines = ["\(name): \(count == 1 ? "1 entity" : "\(count) entities")"]
    if model.isSimplified {
      lines.append("All guesses of some kinds were discarded, because the samples contradict them.")
    } else if model.refutedCount > 0 {
      let count = model.refutedCount == 1 ? "1 guess was" : "\(model.refutedCount) guesses were"
      lines.append("\(count) discarded, because the samples contradict \(model.refutedCount == 1 ? "it" : "them").")
    }
    if let report = model.report {
      lines.append("The samples can be imported with it:")
      lines.append("  graft import --model \(outputPath == "-" ? name : FilePath.word(outputPath)) \(arguments(model))")
      lines += "\(report)".split(separator: "\n").map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the arguments of `graft import` for the samples.
  private func arguments(_ model: InferredModel) -> String {
    var words = model.parts.map { "\($0.entityName)=\(FilePath.word(payloads[$0.sample].path))" }
    if model.parts.contains(where: { !$0.keys.isEmpty }) {
      let paths = model.parts.map(\.keyPath)
      for (index, path) in (Set(paths).count == 1 ? Array(paths.prefix(1)) : paths).enumerated() {
        guard let path else {
          words.append("--at .")
          continue
        }
        // The next document may lack the parts next to the objects that the user named, or next to its first part.
        let sample = model.parts[index].sample
        let parts = model.parts.indices.filter { model.parts[$0].sample == sample }
        let main = parts.first { model.parts[$0].entityName == payloads[sample].entityName } ?? parts.first
        // HAL omits empty parts.
        let isRequired = hasLines || index == main && path.keys.first != "_embedded"
        let text = path.isThroughArrays ? path.description : OptionWords.keyPath(path.keys)
        words.append("--at \(OptionWords.argument(isRequired ? text : text + "?"))")
      }
    }
    return (words + (hasLines ? ["--lines"] : [])).joined(separator: " ")
  }
}
