import Graft
import GraftTools

/// An attribute in words.
struct AttributeExplanation {
  let attribute: AttributeDescription
  let isIdentity: Bool
  /// The values that it reads as null.
  let nulls: [JSON]

  var sentences: [String] {
    var sentences = attribute.documentation.map { [$0] } ?? []
    if attribute.isSensitive { sentences.append("Sensitive: messages, reports, traces and dumps show <hidden>.") }
    if let migration = attribute.migration {
      sentences.append(MigrationWords.sentence(migration.version, migration.attributes))
    }
    guard let path = attribute.keyPath else {
      return sentences + [
        "It has no JSONKeyPath: it is not part of JSON, and only the program sets it.", typeWords + ".",
      ] + rules + initial
    }
    sentences.append(PlaceWords.sentence(path, attribute.keyPathAliases, attribute.direction))
    if attribute.direction == .export { return sentences + [typeWords + "."] + rules + initial }
    sentences.append(typeWords + reading)
    if attribute.isLenient {
      sentences.append("A single element, or an object with the keys 0, 1 and so on, is also read as the array.")
    }
    return sentences + NullWords.sentences(nulls) + rules + [null, absence]
  }

  private var typeWords: String {
    "\(attribute.isList ? "A list of type" : "Type") '\(attribute.type.rawValue)', \(attribute.isOptional ? "optional" : "required")"
  }

  private var reading: String {
    guard let name = attribute.transformerName else {
      if attribute.isList {
        let element = attribute.type == .json ? "any JSON value except null" : attribute.type.nounPhrase
        return ": JSON holds an array, and each element is \(element)."
      }
      return attribute.type == .json ? ": any JSON value, kept as it is." : ": JSON holds \(attribute.type.nounPhrase)."
    }
    let registry = TransformerRegistry.standard
    if let separator = registry.separator(of: attribute) {
      let rest = attribute.transformerNames.dropFirst().joined(separator: ", ")
      return ": JSON holds one string with parts separated by \(JSON.string(separator))"
        + (rest.isEmpty ? ", or an array." : "; the transformer '\(rest)' makes each element from a part.")
    }
    guard let transformer = registry.valueTransformer(of: attribute) else {
      return
        "; the transformer '\(name)', which the program registers, reads \(attribute.isList ? "each element" : "it")."
    }
    return "; the transformer '\(name)' makes \(attribute.isList ? "each element" : "it") from \(transformer.input)."
  }

  private var rules: [String] {
    let rules = attribute.validation
    var words: [String] = []
    if let value = rules.minimum { words.append("at least \(value)") }
    if let value = rules.maximum { words.append("at most \(value)") }
    let unit = attribute.type == .binary ? "byte" : "character"
    if let length = rules.minLength { words.append("at least \(counted(length, unit))") }
    if let length = rules.maxLength { words.append("at most \(counted(length, unit))") }
    if let pattern = rules.pattern { words.append("a match of the pattern \(pattern)") }
    let values = rules.allowedValues?.map(\.description).joined(separator: ", ")
    if let values, !rules.isExtensible { words.append("one of " + values) }
    var sentences = counts
    if !words.isEmpty {
      let allowed = attribute.isList ? "Allowed for each element" : "Allowed"
      sentences.append("\(allowed): \(words.joined(separator: "; ")).")
    }
    guard let values, rules.isExtensible else { return sentences }
    return sentences + ["Known values: \(values). Other values are kept, and imports warn about them."]
  }

  private var counts: [String] {
    let counts = [
      attribute.validation.minCount.map { "at least \(counted($0, "element"))" },
      attribute.validation.maxCount.map { "at most \(counted($0, "element"))" },
    ].compactMap(\.self)
    return counts.isEmpty ? [] : ["Allowed: \(counts.joined(separator: "; "))."]
  }

  private var initial: [String] {
    attribute.defaultValue.map { ["A new object gets the default, \($0)."] } ?? []
  }

  private var null: String {
    guard attribute.isOptional else { return "null is refused." }
    return isIdentity ? "null matches no object, so a new one is inserted, with nil." : "null sets nil."
  }

  private var absence: String {
    let start = isIdentity ? "Absent: no object is found;" : "Absent: it stays as it is;"
    if let value = attribute.defaultValue { return "\(start) a new object gets the default, \(value)." }
    return attribute.isOptional ? "\(start) in a new object it is nil." : "\(start) a new object is refused."
  }
}
