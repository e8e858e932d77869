import Foundation
import GraftTestSupport

@testable import Graft

/// Random models with all kinds of declarations. They can be written and read, but most of them would not pass the checks.
struct RandomModel {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func model() -> ModelDescription {
    var model = ModelDescription(name: maybe { $0.text() })
    model.version = maybe { $0.text() }
    model.documentation = maybe { $0.text() }
    model.keyStrategy = word()
    model.userInfo = userInfo()
    model.entities = names(upTo: 4).map { entity($0) }
    return model
  }

  // MARK: Parts

  private mutating func entity(_ name: String) -> EntityDescription {
    var entity = EntityDescription(name)
    entity.parentName = maybe { $0.text() }
    entity.isAbstract = .random(using: &random)
    entity.className = maybe { $0.text() }
    entity.identityAttributes = names(upTo: 2)
    entity.alternateIdentities = names(upTo: 2).map { .init([$0] + names(upTo: 1)) }
    entity.entityMapperName = maybe { $0.text() }
    entity.entityMapper = maybe { random in
      .init(
        keyPath: random.keyPath(), cases: random.names(upTo: 3).map { .init($0, random.text()) },
        otherwise: random.maybe { random in .random(using: &random.random) ? .skip : .entity(random.text()) })
    }
    entity.dictionaryTransformerName = maybe { $0.text() }
    entity.modificationAttribute = maybe { $0.text() }
    entity.deletedWhen = maybe { random in
      .init(keyPath: random.keyPath(), equals: .random(using: &random.random) ? .string(random.text()) : true)
    }
    entity.indexes = names(upTo: 2).map { .init([$0] + names(upTo: 1)) }
    entity.attributes = names(upTo: 5).map { attribute($0) }
    entity.relationships = names(upTo: 5).map { relationship($0) }
    entity.userInfo = userInfo()
    entity.documentation = maybe { $0.text() }
    return entity
  }

  private mutating func attribute(_ name: String) -> AttributeDescription {
    var attribute = AttributeDescription(name, word())
    let type = attribute.type
    attribute.isList = .random(using: &random)
    attribute.isOptional = .random(using: &random)
    let isList = attribute.isList
    attribute.defaultValue = maybe { random in
      isList ? .list((0..<random.count(3)).map { _ in random.value(type) }) : random.value(type)
    }
    attribute.keyPath = propertyKeyPath(name)
    attribute.keyPathAliases = (0..<count(2)).map { _ in keyPath() }
    attribute.direction = word()
    attribute.transformerName = maybe { $0.text() }
    attribute.validation.minimum = maybe { type.isNumeric ? $0.value(type) : .json($0.json(2)) }
    attribute.validation.maximum = maybe { type.isNumeric ? $0.value(type) : .json($0.json(2)) }
    attribute.validation.minLength = maybe { .random(in: 0...9, using: &$0.random) }
    attribute.validation.maxLength = maybe { .random(in: 0...9, using: &$0.random) }
    attribute.validation.pattern = maybe { $0.text() }
    attribute.validation.minCount = maybe { .random(in: 0...9, using: &$0.random) }
    attribute.validation.maxCount = maybe { .random(in: 0...9, using: &$0.random) }
    attribute.validation.allowedValues = maybe { random in (0..<random.count(30)).map { _ in random.value(type) } }
    attribute.validation.isExtensible = .random(using: &random)
    attribute.isSensitive = .random(using: &random)
    attribute.userInfo = userInfo()
    attribute.documentation = maybe { $0.text() }
    return attribute
  }

  private mutating func relationship(_ name: String) -> RelationshipDescription {
    var relationship = RelationshipDescription(name, to: text())
    relationship.isToMany = .random(using: &random)
    relationship.isOrdered = .random(using: &random)
    relationship.inverseName = maybe { $0.text() }
    relationship.isOptional = .random(using: &random)
    relationship.minCount = maybe { .random(in: 0...9, using: &$0.random) }
    relationship.maxCount = maybe { .random(in: 0...9, using: &$0.random) }
    relationship.deleteRule = word()
    relationship.mergeRule = word()
    relationship.unresolvedRule = word()
    relationship.deletesOrphans = .random(using: &random)
    relationship.representation = word()
    relationship.keyPath = propertyKeyPath(name)
    relationship.keyPathAliases = (0..<count(2)).map { _ in keyPath() }
    relationship.direction = word()
    relationship.userInfo = userInfo()
    relationship.documentation = maybe { $0.text() }
    return relationship
  }

  private mutating func propertyKeyPath(_ name: String) -> JSONKeyPath? {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: nil
    case 1: ModelDescription.KeyStrategy.snakeCase.keyPath(ofProperty: name)
    case 2: JSONKeyPath(keys: [name])
    default: keyPath()
    }
  }

  private mutating func keyPath() -> JSONKeyPath {
    let written = ["name", "publisher.name", "@key", "@value", "a.@key", "ü.b"].randomElement(using: &random) ?? "a"
    if Bool.random(using: &random), let path = JSONKeyPath(written) { return path }
    return JSONKeyPath(keys: (0...count(2)).map { _ in text() })
  }

  // MARK: Values

  private mutating func value(_ type: AttributeType) -> AttributeValue {
    switch type {
    case .integer16: return .integer(Int64(Int16.random(in: .min ... .max, using: &random)))
    case .integer32: return .integer(Int64(Int32.random(in: .min ... .max, using: &random)))
    case .integer64: return .integer(.random(in: .min ... .max, using: &random))
    case .float:
      let value = Float(bitPattern: .random(in: .min ... .max, using: &random))
      return .float(value.isFinite ? value : 0.1)
    case .double:
      let value = Double(bitPattern: .random(in: .min ... .max, using: &random))
      return .double(value.isFinite ? value : -0.0)
    case .decimal: return .decimal(Decimal(Int.random(in: -1_000_000...1_000_000, using: &random)) / 1000)
    case .boolean: return .boolean(.random(using: &random))
    case .string: return .string(text())
    case .date:
      return .date(
        Date(microsecondsSince1970: .random(in: -4_000_000_000_000_000...4_000_000_000_000_000, using: &random)))
    case .binary: return .binary(Data((0..<count(20)).map { _ in .random(in: .min ... .max, using: &random) }))
    case .uuid:
      return .uuid(UUID(uuidString: "123e4567-e89b-12d3-a456-42661417400\(Int.random(in: 0...9, using: &random))")!)
    case .uri: return .uri(URL(string: "https://example.org/\(Int.random(in: 0...99, using: &random))?a=%20")!)
    case .json:
      let value = json(4)
      return .json(value.isNull ? [] : value)
    }
  }

  private mutating func json(_ depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
    case 0: return .null
    case 1: return .boolean(.random(using: &random))
    case 2:
      return .number(
        JSONNumber(["0", "-1.50", "1e-400", "123456789012345678901234567890"].randomElement(using: &random)!)!)
    case 3: return .string(text())
    case 4: return .array((0..<count(4)).map { _ in json(depth - 1) })
    default: return .object(JSONObject(names(upTo: 4).map { (key: $0, value: json(depth - 1)) }))
    }
  }

  private mutating func userInfo() -> [String: JSON] {
    Dictionary(uniqueKeysWithValues: names(upTo: 2).map { ($0, json(3)) })
  }

  /// Returns names that differ from each other.
  private mutating func names(upTo most: Int) -> [String] {
    var names: [String] = []
    for _ in 0..<count(most) {
      let name = text()
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private mutating func text() -> String {
    let pieces = [
      "", "name", "realName", "imageURL", " ", ",", ".", "@key", "\"", "\\", "\n", "\u{0}", "\u{7F}", "é", "語",
      "\u{301}", "🦇", "//",
      "/* */", "doc", "type", "attributes", "a long text with many words in it, so that lines become long",
    ]
    return (0...count(2)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  private mutating func word<Word: CaseIterable>() -> Word { Word.allCases.randomElement(using: &random)! }

  private mutating func count(_ most: Int) -> Int { .random(in: 0...most, using: &random) }

  private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    Bool.random(using: &random) ? make(&self) : nil
  }
}
