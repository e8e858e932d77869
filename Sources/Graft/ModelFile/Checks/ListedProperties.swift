extension ModelChecker {
  /// Checks the properties that `indexes` and `alternateIdentities` list: attributes with a single value, and to-one relationships.
  struct ListedPropertiesCheck {
    let key: ModelFileKey
    let entity: EntityDescription
    let number: Int
    let index: ModelIndex
    let findings: ModelFindings

    /// Checks one of the lists.
    ///
    /// - Returns: whether all properties in the list can be used.
    func check(_ list: EntityDescription.PropertyNames) -> Bool {
      if list.properties.isEmpty {
        findings.report(.emptyNames(in: key, of: entity.name), at: list.source.place())
        return false
      }
      var isUsable = true
      var seen: [UTF8Key: SourcePlace] = [:]
      for (element, name) in list.properties.enumerated() {
        let place = list.source.place(of: key, element: element)
        if let first = seen.updateValue(place, forKey: UTF8Key(name)) {
          findings.report(
            .repeatedListProperty(name, in: key, of: entity.name), at: place,
            notes: [.init("it is given here first", at: first)])
          isUsable = false
        } else if !check(name, place) {
          isUsable = false
        }
      }
      return isUsable
    }

    private func check(_ name: String, _ place: SourcePlace) -> Bool {
      switch index.property(named: name, of: number) {
      case nil:
        guard index.knowsAllProperties(of: number) else { return false }
        let names = index.attributeNames(of: number) + toOneNames
        findings.report(.unknownListProperty(name, in: key, of: entity.name), at: place, near: names)
        return false
      case (let owner, .relationship(let position))?:
        let relationship = index.entities[owner].relationships[position]
        guard relationship.isToMany else { return true }
        return refuse(name, "it is a to-many relationship", at: place, relationship.source.place(of: .toMany))
      case (let owner, .attribute(let position))?:
        let attribute = index.entities[owner].attributes[position]
        if attribute.isList { return refuse(name, "it is a list", at: place, attribute.source.place(of: .list)) }
        guard attribute.source.isReadable(.type) else { return false }
        if attribute.type == .json {
          return refuse(name, "it is of type 'json'", at: place, attribute.source.place(of: .type))
        }
        guard key == .alternateIdentities, attribute.defaultValue != nil else { return true }
        return refuse(name, "several objects would have its default", at: place, attribute.source.place(of: .default))
      }
    }

    private func refuse(_ name: String, _ reason: String, at place: SourcePlace, _ declaration: SourcePlace) -> Bool {
      findings.report(
        .unusableListProperty(name, in: key, of: entity.name, reason), at: place,
        notes: [.init("\(name.quoted) is declared here", at: declaration)])
      return false
    }

    private var toOneNames: [String] {
      index.lineage(number).flatMap { index.entities[$0].relationships }.filter { !$0.isToMany }.map(\.name)
    }
  }
}

extension EntityDescription.PropertyNames {
  /// The names, in the form in which they are compared.
  var key: [UTF8Key] { properties.map(UTF8Key.init) }
}
