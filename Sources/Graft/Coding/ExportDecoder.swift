#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decodes the export of an object as plain values (C4).
///
/// Each value is decoded from its stored form. If the type does not accept it, the value is decoded from its exported form:
///
///     "price": "12.50"     read by StringToDecimal: a Decimal for a property of that type, otherwise the string
struct ExportDecoder: Decoder {
  let value: ExportedValue
  /// The stored value, if it differs from the exported value.
  let stored: AttributeValue?
  /// The stored values of the whole export, by their offsets.
  let allStored: [Int: AttributeValue]
  let codingPath: [any CodingKey]
  /// Whether errors hide values, because the model has sensitive attributes (M29).
  let hidesValues: Bool
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes the export of an object.
  static func decode<Value: Decodable>(
    _ type: Value.Type, _ object: ManagedObject, _ options: ExportOptions
  ) throws -> Value {
    let (data, stored) = try Exporter.dataAndStoredValues(of: object, options)
    let tree: ExportedValue
    do {
      tree = try LentBytes.with(data) { bytes in
        try JSONBuilder.whole(bytes, maxDepth: JSONBuilder.deepest, ExportedTree.self)
      }
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "\(error)", underlyingError: error))
    }
    return try ExportDecoder(tree, stored, [], hidesValues: object.entityPlan.hidesValues).decode(type)
  }

  private init(
    _ value: ExportedValue, _ allStored: [Int: AttributeValue], _ codingPath: [any CodingKey], hidesValues: Bool
  ) {
    self.init(value, stored: allStored[value.offset], allStored, codingPath, hidesValues: hidesValues)
  }

  private init(
    _ value: ExportedValue, stored: AttributeValue?, _ allStored: [Int: AttributeValue], _ codingPath: [any CodingKey],
    hidesValues: Bool
  ) {
    self.value = value
    self.stored = stored
    self.allStored = allStored
    self.codingPath = codingPath
    self.hidesValues = hidesValues
  }

  /// Returns the decoder of a member or an element.
  func inner(_ value: ExportedValue, _ key: any CodingKey) -> ExportDecoder {
    ExportDecoder(value, allStored, codingPath + [key], hidesValues: hidesValues)
  }

  // MARK: Values

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let scalar = type as? any ExportedScalar.Type, let value = try self.scalar(scalar) as? Value { return value }
    guard let stored else { return try Value(from: self) }
    // Types that consist of other types, such as enums, decode those types.
    let exported = ExportDecoder(value, stored: nil, allStored, codingPath, hidesValues: hidesValues)
    let first: ExportDecoder
    if case .json(let json) = stored {
      first = ExportDecoder(ExportedValue(json), [:], codingPath, hidesValues: hidesValues)
    } else {
      first = self
    }
    do {
      return try Value(from: first)
    } catch {
      // If both forms fail, the error of the stored value is thrown.
      guard let value = try? Value(from: exported) else { throw error }
      return value
    }
  }

  private func scalar<Scalar: ExportedScalar>(_ type: Scalar.Type) throws -> Scalar {
    if let stored, let scalar = Scalar(stored: stored) { return scalar }
    if let scalar = Scalar(exported: value) { return scalar }
    throw mismatch(type, type.nounPhrase)
  }

  /// Decodes 128-bit integers; no attribute has such a type.
  func wide<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    for json in [stored?.jsonValue, value.json] {
      guard case .number(let number)? = json else { continue }
      if let integer = Integer(number.text) ?? number.decimal.flatMap({ Integer($0.description) }) { return integer }
    }
    throw mismatch(type, "an integer that fits")
  }

  private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    guard !value.isNull else {
      return DecodingError.valueNotFound(type, context("expected \(expected), found null"))
    }
    return DecodingError.typeMismatch(
      type,
      context(
        "expected \(expected), found \(hidesValues ? HiddenValue.phrase(FoundPhrase.of(value.json)) : FoundPhrase.of(value.json))"
      ))
  }

  func context(_ text: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: text)
  }

  // MARK: Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value.kind else { throw mismatch([String: Any].self, "an object") }
    return KeyedDecodingContainer(ExportedMembers(self, members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value.kind else { throw mismatch([Any].self, "an array") }
    return ExportedElements(decoder: self, elements: elements)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ExportDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try wide(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try wide(type) }
}

/// The members of an object.
private struct ExportedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ExportDecoder
  let allKeys: [Key]
  private let members: [UTF8Key: ExportedValue]
  var codingPath: [any CodingKey] { decoder.codingPath }

  init(_ decoder: ExportDecoder, _ members: [(key: String, value: ExportedValue)]) {
    self.decoder = decoder
    allKeys = members.compactMap { Key(stringValue: $0.key) }
    self.members = Dictionary(members.map { (UTF8Key($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  func contains(_ key: Key) -> Bool { members[UTF8Key(key.stringValue)] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try inner(key).value.isNull }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try inner(key).decode(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try inner(key).wide(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try inner(key).wide(type) }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try inner(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try inner(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder {
    let key = DecodedKey(stringValue: "super")
    return decoder.inner(members[UTF8Key(key.stringValue)] ?? ExportedValue(.null), key)
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }

  private func inner(_ key: Key) throws -> ExportDecoder {
    guard let value = members[UTF8Key(key.stringValue)] else {
      throw DecodingError.keyNotFound(key, decoder.context("there is no value for the key '\(key.stringValue)'"))
    }
    return decoder.inner(value, key)
  }
}

/// The elements of an array, in order.
private struct ExportedElements: UnkeyedDecodingContainer {
  private struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { "Index \(intValue ?? 0)" }
    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
  }

  let decoder: ExportDecoder
  let elements: [ExportedValue]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(decoder: ExportDecoder, elements: [ExportedValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  mutating func decodeNil() throws -> Bool {
    guard try inner(Any?.self).value.isNull else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next(type) { try $0.decode(type) } }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.wide(type) } }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.wide(type) } }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try next([String: Any].self) { try $0.container(keyedBy: type) }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try $0.unkeyedContainer() }
  }
  mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }

  /// Reads the next element. If this fails, it remains the next element.
  private mutating func next<Result>(_ type: Any.Type, _ read: (ExportDecoder) throws -> Result) throws -> Result {
    let result = try read(inner(type))
    currentIndex += 1
    return result
  }

  private func inner(_ type: Any.Type) throws -> ExportDecoder {
    let key = Index(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, DecodingError.Context(codingPath: codingPath + [key], debugDescription: "the array has no more elements"))
    }
    return decoder.inner(elements[currentIndex], key)
  }
}
