package import Graft

/// The description of a store in the table `_graft`.
package struct StoreDescription: Hashable, Sendable {
  /// The text of the model file.
  package var model: String
  /// The model's name and version, for human readers.
  package var modelName: String
  package var modelVersion: String
  /// The layout of the tables, as text.
  package var layout: String
  /// The models that wrote the store.
  package var history = ModelHistory()

  /// Creates the description of a new store.
  ///
  /// - Parameter steps: the steps of the program, which the store will not need.
  package init(_ model: ManagedObjectModel, layout: StoreLayout, steps: ModelHistory.Steps = .init()) {
    self.model = model.fileText
    modelName = model.contents.name ?? ""
    modelVersion = model.contents.version ?? ""
    self.layout = layout.text
    history.add(version: modelVersion, layout, steps: steps)
  }

  /// Reads entries. Fails if they are damaged.
  package init?(_ entries: [String: String]) {
    model = entries["model"] ?? ""
    modelName = entries["model_name"] ?? ""
    modelVersion = entries["model_version"] ?? ""
    layout = entries["layout"] ?? ""
    let text = entries["history"]
    let history = text.flatMap { ModelHistory(text: $0) }
    self.history = history ?? ModelHistory()
    guard entries["digest"] == digest(hasHistory: text != nil), (history == nil) == (text == nil) else { return nil }
    if text == nil, let layout = StoreLayout(text: layout) { self.history.add(version: modelVersion, layout) }
  }

  /// Returns the description of a store after a different model has written it.
  ///
  /// - Parameter steps: the steps that move data.
  package func followed(by model: ManagedObjectModel, layout: StoreLayout, steps: ModelHistory.Steps)
    -> StoreDescription
  {
    var next = StoreDescription(model, layout: layout)
    next.history = history
    next.history.add(version: next.modelVersion, layout, steps: steps)
    return next
  }

  /// The entries that are written.
  package var entries: [(key: String, value: String)] { entries(hasHistory: true) + [("digest", digest())] }

  /// Stores of early versions have no history.
  private func entries(hasHistory: Bool) -> [(key: String, value: String)] {
    (hasHistory ? [("history", history.text)] : []) + [
      ("layout", layout), ("model", model), ("model_name", modelName), ("model_version", modelVersion),
    ]
  }

  /// Returns whether the tables match a layout. Rules for values do not matter.
  package func hasLayout(_ other: StoreLayout) -> Bool {
    if isLayout(other) { return true }
    return StoreLayout(text: layout).map { $0.withoutRules.text.isIdentical(to: other.withoutRules.text) } ?? false
  }

  /// Returns whether this is exactly the description of a layout.
  package func isLayout(_ other: StoreLayout) -> Bool { layout.isIdentical(to: other.text) }

  package static func == (left: Self, right: Self) -> Bool {
    zip(left.entries(hasHistory: true), right.entries(hasHistory: true)).allSatisfy {
      $0.value.isIdentical(to: $1.value)
    }
  }

  /// Returns a number that reveals a damaged description.
  private func digest(hasHistory: Bool = true) -> String {
    var digest = Digest()
    for entry in entries(hasHistory: hasHistory) {
      var value = entry.value
      value.withUTF8 { digest.add($0) }
    }
    return String(digest.value)
  }
}
