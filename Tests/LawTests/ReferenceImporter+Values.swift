import Graft

/// Finds values in dictionaries, reads them, and checks their rules.
extension ReferenceImporter {
  enum Look {
    case absent
    case blocked(Place)
    case value(JSON, Place, position: [Int])
    case key(String)
  }

  /// Finds the value of a property under its key path, and then under its aliases (M7, I8, M11, D3).
  func look(
    _ property: ReferenceModel.Property, _ object: JSONObject, _ key: String?, _ element: JSON?, _ start: Place,
    around: Around? = nil
  ) -> Look {
    for path in property.paths {
      if let surroundings = path.surroundings {
        let around = around ?? self.around
        guard let outer = surroundings == .parent ? around.objects.last ?? around.envelope : around.document else {
          continue
        }
        let look = look(Array(path.keys.dropFirst()), outer.object, outer.place)
        // Values outside the object are read at the end of the object.
        if case .value(let value, let place, _) = look { return .value(value, place, position: [.max]) }
        if case .absent = look { continue }
        return look
      }
      if path.isObjectKey {
        if let key { return .key(key) }
        continue
      }
      if path.isElementValue {
        if let element { return .value(element, start, position: [0]) }
        // The property's object is in the same dictionary, which is read again after this object (M23).
        if property.relationship?.isToMany == false, path == property.paths[0] {
          return .value(.object(object), start, position: [.max - 1])
        }
        continue
      }
      let look = look(path.keys, object, start)
      if case .absent = look { continue }
      return look
    }
    return .absent
  }

  private func look(_ keys: [String], _ object: JSONObject, _ start: Place) -> Look {
    var value = JSON.object(object)
    var place = start
    var position: [Int] = []
    for key in keys {
      guard case .object(let inner) = value else { return .blocked(place) }
      guard let index = inner.firstIndex(where: { $0.key == key }) else { return .absent }
      value = inner[index].value
      place = place.member(key)
      position.append(index)
      if value.isNull { break }
    }
    return .value(value, place, position: position)
  }

  /// The attribute's value in a dictionary; nil if it is absent.
  func content(
    of property: ReferenceModel.Property, _ object: JSONObject, _ key: String?, _ element: JSON?
  ) -> Content? {
    switch look(property, object, key, element, Place(path: "")) {
    case .absent, .blocked: nil
    case .value(let value, _, _): read(value, as: property.attribute!)
    case .key(let key): read(key: key, as: property.attribute!)
    }
  }

  // MARK: Values

  func read(_ value: JSON, as attribute: AttributeDescription, isKey: Bool = false) -> Content {
    if value.isNull || !isKey && attribute.nulls?.contains(value) == true { return .null }
    guard attribute.isList else { return read(single: value, as: attribute) }
    guard let elements = elements(of: value, as: attribute, at: Place(path: ""))?.map(\.value), !elements.contains(nil)
    else { return .invalid }
    var values: [AttributeValue] = []
    for element in elements.compactMap(\.self) {
      guard case .value(let value) = read(single: element, as: attribute) else { return .invalid }
      values.append(value)
    }
    return .value(.list(values))
  }

  /// The locations of faults in a value that was refused. For a list, the locations of its elements (M13).
  func faults(_ value: JSON, as attribute: AttributeDescription, at place: Place) -> [Place] {
    guard attribute.isList, let elements = elements(of: value, as: attribute, at: place) else { return [place] }
    return elements.compactMap { element, place in
      if let element, case .value = read(single: element, as: attribute) { nil } else { place }
    }
  }

  /// The elements of a list in any of its shapes (M22). An element is nil if its number is wrong; the result is nil if the value is not a
  /// list.
  private func elements(
    of value: JSON, as attribute: AttributeDescription, at place: Place
  ) -> [(value: JSON?, place: Place)]? {
    switch value {
    case .array(let elements): return elements.enumerated().map { ($1, place.element($0)) }
    case .object(let object) where attribute.isLenient && attribute.type != .json && Self.isNumbered(object):
      return Self.numbered(object, place)
    default: return attribute.isLenient ? [(value, place)] : nil
    }
  }

  /// Whether an object represents a list: it is empty, or its first key is 0 (M22).
  static func isNumbered(_ object: JSONObject) -> Bool { object.first.map { $0.key == "0" } ?? true }

  /// The elements of an object that represents a list. An element is nil if its number is wrong.
  static func numbered(_ object: JSONObject, _ place: Place) -> [(value: JSON?, place: Place)] {
    object.enumerated().map { index, member in
      (member.key == "\(index)" ? member.value : JSON?.none, place.member(member.key))
    }
  }

  private func read(single value: JSON, as attribute: AttributeDescription) -> Content {
    if value.isNull { return .null }
    do {
      if attribute.type == .json, hasRepeats(value) { return .invalid }
      // Transformers that preserve the form keep the text (D9).
      if attribute.type == .uri, ["Lenient", "Blank", "StringToURL"].contains(attribute.transformerName),
        let text = value.stringValue, !text.isEmpty, (try? AttributeValue(json: value, type: .uri)) != nil
      {
        return .value(.string(text))
      }
      guard let transformer = attribute.transformerName else {
        let read = try AttributeValue(json: value, type: attribute.type)
        // The text is kept character by character.
        if case .uri = read, let text = value.stringValue { return .value(.string(text)) }
        return .value(read)
      }
      let result =
        try transformer == "Lenient"
        ? LawClosures.lenient(value, attribute.type) : LawClosures.value(transformer, value)
      guard let result else { return .null }
      return .value(try AttributeValue(json: result, type: attribute.type))
    } catch {
      return .invalid
    }
  }

  private func hasRepeats(_ value: JSON) -> Bool {
    switch value {
    case .array(let elements): elements.contains(where: hasRepeats)
    case .object(let object):
      Set(object.map(\.key)).count < object.count || object.contains { hasRepeats($0.value) }
    default: false
    }
  }

  /// A key is a string. If the attribute is not a string, it gets the value that the string represents (M11).
  func read(key: String, as attribute: AttributeDescription) -> Content {
    if attribute.nulls?.contains(.string(key)) == true { return .null }
    let isNumber = attribute.type.integerRange != nil || [.float, .double, .decimal].contains(attribute.type)
    guard isNumber, attribute.transformerName == nil else { return read(.string(key), as: attribute) }
    guard let number = JSONNumber(key), attribute.type.integerRange == nil || String(Int64(key) ?? 0) == key else {
      return .invalid
    }
    return read(.number(number), as: attribute, isKey: true)
  }

  func meets(_ value: AttributeValue, _ rules: AttributeValidation) -> Bool {
    var length = 0
    if case .string(let text) = value { length = text.unicodeScalars.count }
    if case .binary(let bytes) = value { length = bytes.count }
    return !(rules.minimum.map { value.isLess(than: $0) } ?? false)
      && !(rules.maximum.map { $0.isLess(than: value) } ?? false)
      && length >= rules.minLength ?? 0 && length <= rules.maxLength ?? .max
      && (rules.isExtensible || rules.allowedValues?.contains(value) ?? true)
      && (rules.pattern == nil || LawClosures.matchesPattern(value))
  }
}
