/// The models that wrote a store, oldest first, each with its version, a digest, and the steps that ran for it.
///
/// A program with an older model must not change the layout of a newer store. An older model is recognized by its version, or by its
/// digest, which the store already contains. After a step has run, such a program must not use the store at all, because values have a
/// different form, even if the layout is the same.
///
/// A new store is recorded as if the steps of its program had run, because its data has the new form.
///
/// Each step runs once per store. A program without steps does not know about them, so its entries in the history are ignored. Steps are
/// treated as done up to the version that created the store, or up to the latest version for which steps ran.
package struct ModelHistory: Hashable, Sendable {
  /// The maximum number of models to keep.
  private static let length = 1000

  private struct Entry: Hashable {
    var version: String
    var digest: String
    /// The steps that ran for the model (S17, S21).
    var steps = Steps()
  }

  /// The versions that the latest steps moved the data to; nil if there was no step.
  package struct Steps: Hashable, Sendable {
    /// The version of a step of the program.
    package var ofProgram: String?
    /// The version of a step that the model declares.
    package var ofModel: String?

    package init(ofProgram: String? = nil, ofModel: String? = nil) {
      self.ofProgram = ofProgram
      self.ofModel = ofModel
    }

    package var isEmpty: Bool { ofProgram == nil && ofModel == nil }
    fileprivate var versions: [String] { [ofProgram, ofModel].compactMap(\.self) }
  }

  private var models: [Entry] = []

  /// Creates an empty history.
  package init() {}

  // MARK: As text

  /// Reads a history; nil if the text is not a history.
  package init?(text: String) {
    guard let elements = (try? JSON(parsing: Array(text.utf8)))?.arrayValue else { return nil }
    for element in elements {
      guard let version = element["version"]?.stringValue, let digest = element["digest"]?.stringValue else {
        return nil
      }
      func step(_ key: String) -> String? { element[key]?.stringValue ?? (element[key] == true ? version : nil) }
      models.append(
        Entry(version: version, digest: digest, steps: Steps(ofProgram: step("steps"), ofModel: step("declared"))))
    }
  }

  /// The history as JSON.
  package var text: String {
    JSONWriter.text(
      of: .array(
        models.map { model in
          let steps = [("steps", model.steps.ofProgram), ("declared", model.steps.ofModel)]
          return .object(
            JSONObject(
              [("digest", .string(model.digest)), ("version", .string(model.version))]
                + steps.compactMap { key, version in version.map { (key, .string($0)) } }))
        }))
  }

  // MARK: Models

  /// Records that a model writes the store. A model that differs only in its rules is not recorded again, because rules do not change where
  /// data is.
  ///
  /// - Parameter steps: the steps that moved data.
  package mutating func add(version: String, _ layout: StoreLayout, steps: Steps = Steps()) {
    var entry = ModelHistory.entry(version, layout)
    guard !steps.isEmpty || models.last?.digest != entry.digest else { return }
    entry.steps = steps
    models.append(entry)
    // The first model is kept, because it determines which steps the store never needed.
    if models.count > ModelHistory.length { models.removeSubrange(1..<1 + models.count - ModelHistory.length) }
  }

  /// Returns the reason why a model must not change the layout of the store; nil if the model does not seem to be older.
  package func refusal(version: String, _ layout: StoreLayout) -> String? {
    let hint =
      "; update the program, or if its model is the newer one, give the model file a higher 'version'"
    if let latest = models.last?.version, ModelVersion.isOlder(version, than: latest) {
      return "it was written by version \(latest) of the model, but the given model has version \(version)\(hint)"
    }
    let digest = ModelHistory.entry(version, layout).digest
    guard models.dropLast().contains(where: { $0.digest == digest }), models.last?.digest != digest else { return nil }
    return "it was written by a newer model than the given one\(hint)"
  }

  /// Returns whether a version comes before the version of the latest model.
  package func isOlder(version: String) -> Bool {
    models.last.map { ModelVersion.isOlder(version, than: $0.version) } ?? false
  }

  /// Returns whether the step to a version has not run, although the store was created before that version. A model without a version comes
  /// before all versions.
  ///
  /// - Parameter isDeclared: whether the model declares the step. Every program with the model has such steps.
  func needsStep(to version: String, isDeclared: Bool) -> Bool {
    let ran = models.filter { (isDeclared ? $0.steps.ofModel : $0.steps.ofProgram) != nil }
    let done = ([models.first].compactMap(\.self) + ran).map(\.version)
      .filter(ModelVersion.isOrdered)
    return done.allSatisfy { ModelVersion.isOlder($0, than: version) }
  }

  /// The latest version that a step moved the data to.
  package var latestStep: String? { models.flatMap(\.steps.versions).max { ModelVersion.isOlder($0, than: $1) } }

  /// Returns the reason why a model must not be used with the store at all, because steps have moved the data to a later version; nil if
  /// the model may be used.
  package func stepRefusal(version: String) -> String? {
    guard let latestStep, !ModelVersion.isOrdered(version) || ModelVersion.isOlder(version, than: latestStep) else {
      return nil
    }
    let found =
      version.isEmpty
      ? "no 'version'" : "version \(version)\(ModelVersion.isOrdered(version) ? "" : ", which has no order")"
    return
      "steps have moved its data to version \(latestStep) of the model, but the given model has \(found); update the program"
  }

  private static func entry(_ version: String, _ layout: StoreLayout) -> Entry {
    let bytes = Array("\(version)\n\(layout.withoutRules.text)".utf8)
    let seeds = IdentityHash.Seeds(first: 0x9E37_79B9_7F4A_7C15, second: 0xD1B5_4A32_D192_ED03)
    let digest = LentBytes.with(bytes[...]) { seeds.bytes($0) }
    return Entry(version: version, digest: String(digest, radix: 16))
  }
}
