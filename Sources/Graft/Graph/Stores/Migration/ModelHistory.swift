/// The models that wrote a store, oldest first: each with its version and a digest.
///
/// A program with an older model must not change the layout of a newer store. It is known by the version of its model, or by its
/// digest, which the store has already.
package struct ModelHistory: Hashable, Sendable {
  /// The maximum number of models that are kept.
  private static let length = 1000

  private struct Entry: Hashable {
    var version: String
    var digest: String
  }

  private var models: [Entry] = []

  /// Creates an empty history.
  package init() {}

  // MARK: As text

  /// Reads a history; nil if the text is not one.
  package init?(text: String) {
    guard let elements = (try? JSON(parsing: Array(text.utf8)))?.arrayValue else { return nil }
    for element in elements {
      guard let version = element["version"]?.stringValue, let digest = element["digest"]?.stringValue else {
        return nil
      }
      models.append(Entry(version: version, digest: digest))
    }
  }

  /// The history as JSON.
  package var text: String {
    JSONWriter.text(
      of: .array(models.map { ["digest": .string($0.digest), "version": .string($0.version)] }))
  }

  // MARK: Models

  /// Records that a model writes the store. Rules do not count: they do not change where data is.
  package mutating func add(version: String, _ layout: StoreLayout) {
    let entry = ModelHistory.entry(version, layout)
    guard models.last != entry else { return }
    models.append(entry)
    if models.count > ModelHistory.length { models.removeFirst(models.count - ModelHistory.length) }
  }

  /// Returns why a model must not change the layout of the store; nil if it is a newer one, as far as is known.
  package func refusal(version: String, _ layout: StoreLayout) -> String? {
    let hint =
      "; update the program, or if its model is the newer one, give the model file a higher 'version'"
    if let latest = models.last?.version, ModelHistory.isOlder(version, than: latest) {
      return "it was written by version \(latest) of the model, but the given model has version \(version)\(hint)"
    }
    guard models.dropLast().contains(ModelHistory.entry(version, layout)) else { return nil }
    return "it was written by a newer model than the given one\(hint)"
  }

  /// Returns whether a version comes before that of the latest model.
  package func isOlder(version: String) -> Bool {
    models.last.map { ModelHistory.isOlder(version, than: $0.version) } ?? false
  }

  /// Returns whether the latest model comes before a version. A model without a version comes before all of them.
  func isOlder(thanVersion version: String) -> Bool {
    guard let latest = models.last?.version, ModelHistory.isOrdered(latest) else { return true }
    return ModelHistory.isOlder(latest, than: version)
  }

  /// Whether a version is one of numbers, which have an order.
  static func isOrdered(_ version: String) -> Bool { numbers(version) != nil }

  private static func entry(_ version: String, _ layout: StoreLayout) -> Entry {
    let bytes = Array("\(version)\n\(layout.withoutRules.text)".utf8)
    let seeds = IdentityHash.Seeds(first: 0x9E37_79B9_7F4A_7C15, second: 0xD1B5_4A32_D192_ED03)
    let digest = LentBytes.with(bytes[...]) { seeds.bytes($0) }
    return Entry(version: version, digest: String(digest, radix: 16))
  }

  /// Compares numbers between dots. Other versions have no order.
  static func isOlder(_ version: String, than other: String) -> Bool {
    guard let left = numbers(version), let right = numbers(other) else { return false }
    let count = max(left.count, right.count)
    let padded = [left, right].map { $0 + Array(repeating: 0, count: count - $0.count) }
    return padded[0].lexicographicallyPrecedes(padded[1])
  }

  private static func numbers(_ version: String) -> [Int]? {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    return version.isEmpty || parts.contains(nil) ? nil : parts.compactMap(\.self)
  }
}
