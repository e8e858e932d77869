import Graft
import GraftTools

extension PayloadComparison {
  /// Compares the attributes that two versions of an entity declare.
  mutating func compareAttributes(_ old: EntityDescription, _ new: EntityDescription) {
    let pairs = pairs(old.attributes.map(ReadProperty.init), new.attributes.map(ReadProperty.init), old, new)
    for (before, now) in pairs {
      let (before, now) = (old.attributes[before], new.attributes[now])
      compareDefaults(before, now, "\(new.name).\(now.name)")
      // Properties that are not read from JSON are not in payloads.
      guard before.importedKeyPath != nil, now.importedKeyPath != nil else { continue }
      compareForms(before, now, "\(new.name).\(now.name)")
      compareRules(before, now, "\(new.name).\(now.name)")
      compareNulls(before.nulls, now.nulls, now.name, "\(new.name).\(now.name)", now.source)
    }
  }

  /// Compares the values that two versions of a property read as null.
  mutating func compareNulls(
    _ old: [JSON]?, _ new: [JSON]?, _ name: String, _ title: String, _ source: DescriptionSource
  ) {
    let (before, now) = (old ?? self.old.model.nulls, new ?? self.new.model.nulls)
    let lost = before.filter { !now.contains($0) }.map(\.description)
    if !lost.isEmpty {
      report(
        .rejected, name, "'\(title)' no longer reads \(lost.joined(separator: ", ")) as null",
        source.location(of: .JSONNulls))
    }
    let added = now.filter { !before.contains($0) }.map(\.description)
    if !added.isEmpty {
      report(
        .different, name, "'\(title)' reads \(added.joined(separator: ", ")) as null", source.location(of: .JSONNulls))
    }
  }

  private mutating func compareDefaults(
    _ old: AttributeDescription, _ new: AttributeDescription, _ title: String
  ) {
    guard old.defaultValue != new.defaultValue, let value = new.defaultValue ?? old.defaultValue else { return }
    // The new requirement of a value has already been reported.
    guard new.defaultValue != nil || new.isOptional else { return }
    report(
      .different, new.name,
      "'\(title)' of new objects without a value is \(new.defaultValue == nil ? "nil, not \(value)" : "\(value)")",
      new.source.location(of: .default))
  }

  private mutating func compareForms(_ old: AttributeDescription, _ new: AttributeDescription, _ title: String) {
    if old.isList != new.isList, new.isList || new.type != .json || new.transformerName != nil {
      report(
        .rejected, new.name, "'\(title)' expects \(new.nounPhrase), not \(old.nounPhrase)",
        new.source.location(of: new.isList ? .list : .type))
    } else if old.transformerName != new.transformerName {
      report(
        .different, new.name,
        "'\(title)' is transformed by \(new.transformerName.map { "'\($0)'" } ?? "nothing"), not by \(old.transformerName.map { "'\($0)'" } ?? "nothing")",
        new.source.location(of: .JSONTransformerName))
    } else if old.isLenient, !new.isLenient {
      report(.rejected, new.name, "'\(title)' no longer reads single elements as lists", new.source.location(of: .list))
    } else if old.type != new.type, !new.type.reads(old.type) {
      let place = new.isList ? " for each element" : ""
      report(
        .rejected, new.name, "'\(title)' expects \(new.type.nounPhrase)\(place), not \(old.type.nounPhrase)",
        new.source.location(of: .type))
    }
  }

  private mutating func compareRules(_ old: AttributeDescription, _ new: AttributeDescription, _ title: String) {
    func reject(_ message: String, _ key: ModelFileKey) {
      report(.rejected, new.name, "'\(title)' \(message)", new.source.location(of: key))
    }
    let (before, now) = (old.validation, new.validation)
    if let minimum = now.minimum, before.minimum.map({ $0.isLess(than: minimum) }) ?? true {
      reject("must be at least \(minimum)", .minimum)
    }
    if let maximum = now.maximum, before.maximum.map({ maximum.isLess(than: $0) }) ?? true {
      reject("must be at most \(maximum)", .maximum)
    }
    if let length = now.minLength, length > before.minLength ?? 0 {
      reject("requires a length of at least \(length)", .minLength)
    }
    if let length = now.maxLength, length < before.maxLength ?? .max {
      reject("requires a length of at most \(length)", .maxLength)
    }
    if let count = now.minCount, count > before.minCount ?? 0 {
      reject("requires at least \(counted(count, "element"))", .minCount)
    }
    if let count = now.maxCount, count < before.maxCount ?? .max {
      reject("allows at most \(counted(count, "element"))", .maxCount)
    }
    if let pattern = now.pattern, pattern != before.pattern { reject("must match \(JSON.string(pattern))", .pattern) }
    guard let allowed = now.onlyValues else { return }
    guard let former = before.onlyValues else { return reject("allows only the values of its 'enum'", .enum) }
    let removed = former.filter { !allowed.contains($0) }.map { "\($0)" }
    if !removed.isEmpty { reject("no longer allows \(removed.joined(separator: ", "))", .enum) }
  }
}

extension AttributeType {
  /// Returns whether the type reads the JSON form of every value of another type. A number may be rounded, or may be too large.
  fileprivate func reads(_ other: AttributeType) -> Bool {
    if let range = integerRange { return other.integerRange.map { range.contains($0.lowerBound) } ?? false }
    return switch self {
    case _ where self == other: true
    case .json: true
    case .float, .double, .decimal: other.integerRange != nil || [.float, .double, .decimal].contains(other)
    case .string: [.date, .binary, .uuid, .uri].contains(other)
    default: false
    }
  }
}
