import Foundation

/// Converts dictionaries, as JSONSerialization returns them, to the text that the importer reads. Every kind of payload
/// therefore produces the same graph and the same errors (I1).
///
/// Members that the plan maps come first, in model order, because dictionaries have no order (I7). The remaining members follow,
/// sorted, but only if they are needed: by a closure, by a mapper, by a key path that starts outside an object, or to report
/// unknown keys. If an object may belong to a sub-entity, which only the importer determines, the keys of all possible entities
/// have positions.
///
///     dictionary      ["name": "Batman", "x": 1, "id": 7]       iterated once, without examining its values
///     places          [ 2, 0, - ]                               the position of each field's value in the dictionary
///     text            {"id":7,"name":"Batman"}
struct DictionaryPayload {
  private let plan: Plan
  /// The maximum number of bytes of the text. Once the limit is exceeded, nothing more is written.
  private let limit: Int
  /// Whether a string was omitted because the text would have exceeded the limit.
  private var isOverLimit = false
  private var needsAll: Bool
  /// The spelling of the model's keys, if the dictionaries come from a coder that may convert them.
  private var convertedKeys: ConvertedKeys?
  private var output = JSONOutput()
  private(set) var faults: [ImportFault] = []
  private var levels: [Level] = []
  /// The positions of the field values of the open objects.
  private var places: [Dictionary<String, Any>.Index?] = []

  /// Returns the text of a payload.
  ///
  /// - Throws: an error as soon as the payload is known to have more bytes than the limit.
  static func text(
    of payload: Any, _ part: PlannedPart, _ plan: Plan, _ options: ImportOptions, convertedKeys: ConvertedKeys? = nil
  ) throws(ImportError) -> (bytes: [UInt8], faults: [ImportFault]) {
    var text = DictionaryPayload(
      plan: plan, limit: options.limits.bytes,
      needsAll: options.unknownKeys != .ignore || plan.features.hasDictionaryClosures
        || plan.features.hasSurroundingPaths)
    text.convertedKeys = convertedKeys
    defer { text.output.free() }
    text.append(payload, of: part)
    if text.isFull { throw tooLong(options) }
    return (text.output.bytes, text.faults)
  }

  /// Returns the text with all members, mapped or not.
  static func wholeText(
    of payload: Any, _ part: PlannedPart, _ plan: Plan, convertedKeys: ConvertedKeys? = nil
  ) -> [UInt8] {
    var text = DictionaryPayload(plan: plan, limit: .max, needsAll: true)
    text.convertedKeys = convertedKeys
    defer { text.output.free() }
    text.append(payload, of: part)
    return text.output.bytes
  }

  /// Returns the text of a document that holds objects of several entities: every member, in the order of the keys.
  ///
  /// - Throws: an error as soon as the payload is known to have more bytes than the limit.
  static func text(
    ofDocument document: Any, _ plan: Plan, _ options: ImportOptions
  ) throws(ImportError) -> (bytes: [UInt8], faults: [ImportFault]) {
    var text = DictionaryPayload(plan: plan, limit: options.limits.bytes, needsAll: true)
    defer { text.output.free() }
    text.append(document, .value, under: [])
    if text.isFull { throw tooLong(options) }
    return (text.output.bytes, text.faults)
  }

  /// Returns the text of a payload that is already JSON.
  ///
  /// - Throws: an error as soon as the payload is known to have more bytes than the limit.
  static func text(of json: JSON, _ options: ImportOptions) throws(ImportError) -> [UInt8] {
    var bytes: [UInt8] = []
    guard JSONWriter().append(json, to: &bytes, limit: options.limits.bytes) else { throw tooLong(options) }
    return bytes
  }

  /// Returns the text of an object that a dictionary transformer returned, or nil if it is longer than the limit.
  static func text(
    ofTransformed dictionary: [String: Any], _ entity: EntityPlan, _ plan: Plan, limit: Int
  ) -> [UInt8]? {
    var text = DictionaryPayload(plan: plan, limit: limit, needsAll: true)
    defer { text.output.free() }
    text.append(dictionary, .object(entity.index), under: [])
    return text.isFull ? nil : text.output.bytes
  }

  private static func tooLong(_ options: ImportOptions) -> ImportError {
    var fault = FaultReporter.fault(
      JSONSyntaxError(offset: 0, problem: .limit(.bytes, options.limits.bytes)), options)
    fault.place = ImportFault.Place(path: "$")
    return FaultReporter.error(fault)
  }

  private init(plan: Plan, limit: Int, needsAll: Bool) {
    self.plan = plan
    self.limit = max(0, limit)
    self.needsAll = needsAll
  }

  private var isFull: Bool { isOverLimit || output.count > limit }

  /// The expected kind of a value.
  private enum Expected {
    case value
    /// The payload's objects: one, several, or a collection by their keys.
    case objects(Int)
    /// The objects of a to-many relationship: several, or a collection by their keys if the entity has `@key`.
    case members(Int)
    /// One object, or an array of objects, but not a collection by keys.
    case object(Int)
    /// A list in any form (M22): of an entity's objects, or of values if there is no entity.
    case list(Int?)
    case group(Int)
    /// The inner object of several entities' key paths.
    case groups([Int])
    /// One object, or an array of objects, of which other properties may also read members.
    case whole(Int)
    /// A value on a path through arrays (M25): the next keys, what follows them after arrays, and the values at its end.
    indirect case along(ArraySlice<String>, ArraySlice<[String]>, Expected)
    /// An object that encloses the payload's objects, which are under the given keys.
    indirect case envelope(ArraySlice<String>, Expected)
  }

  /// A container that is being written. A stack of these replaces recursion.
  private struct Level {
    enum Content {
      case array([Any], Expected)
      case members([(key: String, value: Any)], Expected)
      /// The members of an object that is needed completely, and the needed members of its enclosing objects.
      case mixed([(key: String, value: Any, expected: Expected)], needsAll: Bool)
      /// The fields of a group. ``places``, from an index onward, contains the positions of their values in the dictionary.
      case fields(GroupPlan, [String: Any], places: Int)
    }

    var content: Content
    var next = 0
    /// Members that the plan does not map, if they are needed.
    var rest: [(key: String, value: Any)] = []
  }

  /// Writes the payload. On a path through arrays (M25), everything from the first array onward is written.
  private mutating func append(_ payload: Any, of part: PlannedPart) {
    if let path = part.keyPath, path.isThroughArrays {
      let rest = path.segments.dropFirst()
      let first = path.segments[0]
      if plan.features.hasSurroundingPaths {
        append(payload, along(first[...], rest, .whole(part.entity)), under: [])
      } else {
        append(payload, along([], rest, .whole(part.entity)), under: first)
      }
    } else {
      append(payload, expected(of: part), under: part.keyPath?.keys ?? [])
    }
  }

  /// Returns the expected kind of a part. The value of a relationship may have forms other than a payload of objects (I24).
  private func expected(of part: PlannedPart) -> Expected {
    part.parent.flatMap { plan.entities[$0.entity].field(ofRelationship: $0.slot) }
      .map { expected(of: plan.fields[$0]) } ?? .objects(part.entity)
  }

  /// Writes the part of the `at:` path that exists in the dictionaries, omitting other members unless objects read them, and then
  /// the payload.
  private mutating func append(_ payload: Any, _ expected: Expected, under keys: [String]) {
    if plan.features.hasSurroundingPaths, !keys.isEmpty {
      write(payload, .envelope(keys[...], expected))
      while levels.count > 0, !isFull { writeNext() }
      return
    }
    var inner = payload
    var depth = 0
    for key in keys {
      guard let dictionary = inner as? [String: Any], let next = dictionary.value(underExactly: key) else { break }
      output.byte(UInt8(ascii: "{"))
      output.string(key)
      output.byte(UInt8(ascii: ":"))
      inner = next
      depth += 1
    }
    write(inner, depth == keys.count ? expected : .value)
    while levels.count > 0, !isFull { writeNext() }
    for _ in 0..<depth { output.byte(UInt8(ascii: "}")) }
  }

  /// Writes the members of the innermost container up to the next member that is itself a container, or closes the container at its end.
  private mutating func writeNext() {
    switch levels[levels.count - 1].content {
    case .array(let elements, let expected):
      if writeEach(elements.count, { $0.write(elements[$1], expected) }) { close("]") }
    case .members(let members, let expected):
      if writeEach(members.count, { $0.write(members[$1].key, members[$1].value, expected) }) { close("}") }
    case .mixed(let members, let outer):
      guard writeEach(members.count, { $0.write(members[$1].key, members[$1].value, members[$1].expected) }) else {
        return
      }
      needsAll = outer
      close("}")
    case .fields(let group, let dictionary, let first): writeFields(group, dictionary, first)
    }
  }

  /// Writes the following elements or members, up to the next one that is itself a container.
  ///
  /// - Returns: whether all of them are written.
  @inline(__always)
  private mutating func writeEach(_ count: Int, _ write: (inout DictionaryPayload, Int) -> Void) -> Bool {
    let depth = levels.count
    for index in levels[depth - 1].next..<count {
      if index > 0 { output.byte(UInt8(ascii: ",")) }
      write(&self, index)
      if levels.count > depth {
        levels[depth - 1].next = index + 1
        return false
      }
    }
    return true
  }

  private mutating func write(_ key: String, _ value: Any, _ expected: Expected) {
    output.string(key)
    output.byte(UInt8(ascii: ":"))
    write(value, expected)
  }

  /// - Parameter first: the index in ``places`` at which the positions of the group's values begin.
  private mutating func writeFields(_ group: GroupPlan, _ dictionary: [String: Any], _ first: Int) {
    let depth = levels.count
    var next = levels[depth - 1].next
    while next < group.count {
      guard let place = places[first + next] else {
        next += 1
        continue
      }
      let value = dictionary.values[place]
      if output.last != UInt8(ascii: "{") { output.byte(UInt8(ascii: ",")) }
      write(key: group.first + next)
      next += 1
      // The call opens the existential, so the type can be compared by identity, without a cast at run time.
      if writeScalar(value) { continue }
      levels[depth - 1].next = next
      write(value, expected(of: plan.fields[group.first + next - 1]))
      if levels.count > depth { return }
    }
    places.removeSubrange(first...)
    // Members that the plan does not map come last, in the same object.
    let rest = levels[depth - 1].rest
    levels[depth - 1].rest = []
    for member in rest {
      if output.last != UInt8(ascii: "{") { output.byte(UInt8(ascii: ",")) }
      write(member.key, member.value, .value)
      while levels.count > depth, !isFull { writeNext() }
    }
    close("}")
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    output.byte(UInt8(ascii: bracket))
    levels.removeLast()
  }

  private mutating func write(key field: Int) {
    let field = plan.fields[field]
    if field.needsEscapes {
      output.string(field.name)
    } else {
      output.byte(UInt8(ascii: "\""))
      output.raw(field.key)
    }
    output.byte(UInt8(ascii: ":"))
  }

  private func expected(of field: FieldPlan) -> Expected {
    switch field.reading {
    case .toOne: .object(field.destination)
    case .toMany: .members(field.destination)
    case .group: .group(field.group)
    case .shaped: shape(of: plan.fields[field.inner])
    case .guarded: expected(of: plan.fields[field.inner])
    case .owned where isToMany(field): .members(field.destination)
    case .owned: .object(field.destination)
    case .skipped where field.inner >= 0: expected(of: plan.fields[field.inner])
    case .spread where plan.layouts[field.entity].slots[field.slot].kind.isRelationship:
      along([], plan.forms[field.forms].segments.dropFirst(), .whole(field.destination))
    case .list where field.forms >= 0 && plan.forms[field.forms].isLenient: .list(nil)
    default: .value
    }
  }

  /// Returns what is expected on a path through arrays, after the given keys.
  private func along(_ keys: ArraySlice<String>, _ rest: ArraySlice<[String]>, _ end: Expected) -> Expected {
    keys.isEmpty && rest.isEmpty ? end : .along(keys, rest, end)
  }

  /// Returns what the field of a relationship with other forms reads.
  private func shape(of field: FieldPlan) -> Expected {
    guard plan.forms[field.forms].isLenient else { return expected(of: field) }
    return isToMany(field) ? .list(field.destination) : .object(field.destination)
  }

  private func isToMany(_ field: FieldPlan) -> Bool {
    plan.layouts[field.entity].slots[field.slot].kind == .toMany
  }

  // MARK: Values

  /// Writes a scalar, or opens a container.
  private mutating func write(_ value: Any, _ expected: Expected) {
    // One value in memory may occur many times in a payload, so its text can be far longer than its size in memory.
    if isFull { return }
    if writeScalar(value) || openContainer(value, expected) { return }
    if let dictionary = value as? [String: Any] {
      open(dictionary, expected)
    } else if let array = value as? [Any] {
      open(array, expected)
    } else {
      writeOther(value)
    }
  }

  /// Opens a container that needs no cast. A cast costs as much as a few members.
  @inline(__always)
  private mutating func openContainer<Value>(_ value: Value, _ expected: Expected) -> Bool {
    if Value.self == [String: Any].self {
      open(unsafeBitCast(value, to: [String: Any].self), expected)
    } else if Value.self == [Any].self {
      open(unsafeBitCast(value, to: [Any].self), expected)
    } else {
      return false
    }
    return true
  }

  private mutating func open(_ array: [Any], _ expected: Expected) {
    output.byte(UInt8(ascii: "["))
    let inner: Expected =
      switch expected {
      case .objects(let entity), .members(let entity), .object(let entity), .list(let entity?): .object(entity)
      case .whole: expected
      case .along(let keys, let rest, let end) where keys.isEmpty: along(rest.first?[...] ?? [], rest.dropFirst(), end)
      default: .value
      }
    levels.append(Level(content: .array(array, inner)))
  }

  @inline(__always)
  private mutating func writeScalar<Value>(_ value: Value) -> Bool {
    if Value.self == String.self {
      let text = unsafeBitCast(value, to: String.self)
      if text.utf8.count > limit - output.count { isOverLimit = true } else { output.string(text) }
    } else if Value.self == Int.self {
      output.integer(Int64(unsafeBitCast(value, to: Int.self)))
    } else if Value.self == Bool.self {
      unsafeBitCast(value, to: Bool.self) ? output.raw("true") : output.raw("false")
    } else if Value.self == Double.self {
      let value = unsafeBitCast(value, to: Double.self)
      guard value.isFinite else { return false }
      output.made { DoubleText.append(value, to: &$0) }
    } else if Value.self == NSNumber.self, let number = value as? NSNumber {
      return writeNumber(number)
    } else if Value.self == NSNull.self {
      output.raw("null")
    } else {
      return false
    }
    return true
  }

  private static let yes = NSNumber(value: true)
  private static let no = NSNumber(value: false)

  /// Writes a number that JSONSerialization returned. In its results, true and false are two singleton objects.
  private mutating func writeNumber(_ number: NSNumber) -> Bool {
    if number === DictionaryPayload.yes {
      output.raw("true")
    } else if number === DictionaryPayload.no {
      output.raw("false")
    } else if let decimal = number as? NSDecimalNumber {
      let value = decimal.decimalValue
      guard !value.isNaN else { return false }
      output.made { $0 += NumberText.positional(value).utf8 }
    } else {
      switch number.objCType.pointee {
      case CChar(UInt8(ascii: "q")), CChar(UInt8(ascii: "i")), CChar(UInt8(ascii: "s")), CChar(UInt8(ascii: "l")):
        output.integer(number.int64Value)
      case CChar(UInt8(ascii: "d")):
        let value = number.doubleValue
        guard value.isFinite else { return false }
        output.made { DoubleText.append(value, to: &$0) }
      default: return false
      }
    }
    return true
  }

  /// Writes any other value, even if the value is not a JSON value.
  private mutating func writeOther(_ value: Any) {
    do throws(JSONConversionError) {
      let json = try JSON(foundation: value)
      let rest = limit - output.count
      output.made { JSONWriter().append(json, to: &$0, limit: rest) }
    } catch {
      faults.append(ImportFault(.notJSON(error.message), at: output.count))
      output.raw("null")
    }
  }

  // MARK: Dictionaries

  private mutating func open(_ dictionary: [String: Any], _ expected: Expected) {
    output.byte(UInt8(ascii: "{"))
    switch expected {
    case .value:
      levels.append(Level(content: .members(sorted(dictionary), .value)))
    case .group(let group):
      openFields(dictionary, plan.groups[group])
    case .groups(let groups):
      openMixed(members(of: dictionary, groups))
    case .objects(let entity) where isCollection(dictionary, plan.layouts[entity]),
      .members(let entity) where plan.layouts[entity].forms.keyField >= 0:
      let layout = plan.layouts[entity]
      let element: Expected =
        layout.forms.readsObjectsAsValues ? self.expected(of: plan.fields[layout.forms.valueField]) : .object(entity)
      levels.append(Level(content: .members(sorted(dictionary), element)))
    case .objects(let entity), .members(let entity):
      openObject(dictionary, entity)
    case .object(let entity):
      openObject(dictionary, entity)
    case .whole(let entity):
      openMixed(members(of: dictionary, groups(of: entity, dictionary)))
    case .along(let keys, let rest, let end):
      let inner = along(keys.dropFirst(), rest, end)
      let members = sorted(dictionary).map {
        (key: $0.key, value: $0.value, expected: keys.first.map($0.key.isIdentical) == true ? inner : .value)
      }
      levels.append(Level(content: .mixed(members, needsAll: needsAll)))
    case .list(let entity):
      let isKeyed = entity.map { plan.layouts[$0].forms.keyField >= 0 } ?? false
      if !isKeyed, let elements = elements(of: dictionary, entity) {
        levels.append(Level(content: .mixed(elements, needsAll: needsAll)))
      } else {
        output.truncate(to: output.count - 1)
        open(dictionary, entity.map { .members($0) } ?? .value)
      }
    case .envelope(let keys, let content):
      let rest = keys.dropFirst()
      let inner: Expected = rest.isEmpty ? content : .envelope(rest, content)
      let members = sorted(dictionary).map {
        (key: $0.key, value: $0.value, expected: keys.first.map($0.key.isIdentical) == true ? inner : .value)
      }
      levels.append(Level(content: .mixed(members, needsAll: needsAll)))
    }
  }

  /// Returns the members of a dictionary that is empty, or that has the key 0 and no key of the entity, and therefore represents a list
  /// (M22): first the members 0, 1 and so on, and then all others, which the reader refuses. Returns nil for other dictionaries.
  private func elements(
    of dictionary: [String: Any], _ entity: Int?
  ) -> [(key: String, value: Any, expected: Expected)]? {
    let element = entity.map { Expected.object($0) } ?? .value
    var elements: [(key: String, value: Any, expected: Expected)] = []
    while let value = dictionary["\(elements.count)"] { elements.append(("\(elements.count)", value, element)) }
    guard !elements.isEmpty || dictionary.isEmpty else { return nil }
    if let entity, hasKey(dictionary, plan.layouts[entity]) { return nil }
    if elements.count < dictionary.count {
      let numbers = Set(elements.map(\.key))
      elements += sorted(dictionary).filter { !numbers.contains($0.key) }.map { ($0.key, $0.value, .value) }
    }
    return elements
  }

  private mutating func openObject(_ dictionary: [String: Any], _ entity: Int) {
    let layout = plan.layouts[entity]
    if layout.forms.readsObjectsAsValues {
      levels.append(Level(content: .members(sorted(dictionary), .value)))
    } else if layout.reading.needsPreparation || layout.forms.sharesDictionary {
      openMixed(members(of: dictionary, groups(of: entity, dictionary)))
    } else {
      openFields(dictionary, plan.groups[layout.group])
    }
  }

  /// Opens an object that a closure or mapper sees as a whole, with everything in it.
  private mutating func openMixed(_ members: [(key: String, value: Any, expected: Expected)]) {
    levels.append(Level(content: .mixed(members, needsAll: needsAll)))
    needsAll = true
  }

  private mutating func openFields(_ dictionary: [String: Any], _ group: GroupPlan) {
    let first = places.count
    places.append(contentsOf: repeatElement(nil, count: group.count))
    var rest: [(key: String, value: Any)] = []
    var isEmpty = true
    var place = dictionary.startIndex
    while place != dictionary.endIndex {
      if let field = field(of: dictionary.keys[place], in: group, dictionary) {
        places[first + field - group.first] = place
        isEmpty = false
      } else if needsAll {
        rest.append(dictionary[place])
      }
      dictionary.formIndex(after: &place)
    }
    // An empty object may mean null, or an empty list.
    if isEmpty, rest.isEmpty, let member = dictionary.min(by: { UTF8Key.precedes($0.key, $1.key) }) {
      rest.append((key: member.key, value: NSNull()))
    }
    if !rest.isEmpty { rest.sort { UTF8Key.precedes($0.key, $1.key) } }
    levels.append(Level(content: .fields(group, dictionary, places: first), rest: rest))
  }

  /// Returns the groups of keys that an object may have: the keys of the entity that its mapper's key selects, of the declared
  /// entity, of its sub-entities, and of the objects that are read from the same dictionary.
  private func groups(of declared: Int, _ dictionary: [String: Any]) -> [Int] {
    let entity = plan.entities[declared]
    var entities = entity.concreteAndSubentities
    if case .table(let path, let table) = entity.mapper {
      if let value = discriminator(dictionary, path) {
        switch (table[value], entity.fallback) {
        case (let chosen?, _), (nil, .entity(let chosen)?): entities = [chosen] + entities
        case (nil, _): break
        }
      }
    }
    return entities.flatMap { entity in
      let layout = plan.layouts[entity]
      guard layout.forms.sharesDictionary else { return [layout.group] }
      return [layout.group] + groups(of: plan.fields[layout.forms.valueField].destination, dictionary)
    }
  }

  /// Returns the text of a discriminator (D4), or nil if there is none.
  private func discriminator(_ dictionary: [String: Any], _ path: JSONKeyPath) -> String? {
    var value: Any? = dictionary
    for key in path.keys {
      guard let inner = value as? [String: Any] else { return nil }
      value = convertedKeys?.value(of: key, in: inner) ?? inner.value(underExactly: key)
    }
    guard let value, let json = try? JSON(foundation: value) else { return nil }
    return switch json {
    case .null, .array, .object: nil
    case .string(let text): text
    case .boolean, .number: json.description
    }
  }

  /// Returns all members: first the members that the groups know, in order, and then the rest.
  private func members(
    of dictionary: [String: Any], _ groups: [Int]
  ) -> [(key: String, value: Any, expected: Expected)] {
    typealias Member = (place: Int, key: String, value: Any, expected: Expected)
    let members = dictionary.map { key, value -> Member in
      var inner: [Int] = []
      var place = Int.max
      var key = key
      for (number, group) in groups.enumerated() {
        guard let index = field(of: key, in: plan.groups[group], dictionary) else { continue }
        let field = plan.fields[index]
        // The key belongs to another object, whose group may come later in the list.
        if field.isForOthers { continue }
        if place == .max {
          place = number << 32 | index
          if convertedKeys != nil { key = field.name }
          guard field.reading == .group else { return (place, key, value, expected(of: field)) }
        }
        if field.reading == .group { inner.append(field.group) }
      }
      return (place, key, value, inner.isEmpty ? .value : .groups(inner))
    }
    return members.sorted {
      $0.place != $1.place ? $0.place < $1.place : UTF8Key.precedes($0.key, $1.key)
    }.map { ($0.key, $0.value, $0.expected) }
  }

  private func field(named key: String, in group: GroupPlan) -> Int? {
    LentBytes.with(key) { plan.field(named: $0, in: group) }
  }

  /// Returns the field of a key in a dictionary. A key that a coder may have converted is treated as the key of the model,
  /// unless the dictionary also has that key.
  private func field(of key: String, in group: GroupPlan, _ dictionary: [String: Any]) -> Int? {
    if let field = field(named: key, in: group) { return field }
    guard let field = convertedKeys?.field(spelled: key, in: group, of: plan),
      dictionary[plan.fields[field].name] == nil
    else { return nil }
    return field
  }

  /// Returns whether a dictionary that holds the payload's objects is a collection of them by their keys (M11).
  private func isCollection(_ dictionary: [String: Any], _ layout: EntityLayout) -> Bool {
    guard layout.forms.keyField >= 0 else { return false }
    if plan.fields[layout.forms.keyField].rank == 0 { return true }
    return !hasKey(dictionary, layout)
  }

  /// Returns whether a dictionary has a key of the entity itself.
  private func hasKey(_ dictionary: [String: Any], _ layout: EntityLayout) -> Bool {
    dictionary.keys.contains { key in
      field(of: key, in: plan.groups[layout.group], dictionary).map { !plan.fields[$0].isForOthers } ?? false
    }
  }

  private func sorted(_ dictionary: [String: Any]) -> [(key: String, value: Any)] {
    dictionary.sorted { UTF8Key.precedes($0.key, $1.key) }.map { ($0.key, $0.value) }
  }
}

extension [String: Any] {
  /// Returns the value under a key with exactly these code points. Dictionaries also find canonically equivalent keys, which are
  /// different keys in JSON.
  fileprivate func value(underExactly key: String) -> Any? {
    index(forKey: key).flatMap { keys[$0].isIdentical(to: key) ? values[$0] : nil }
  }
}
