extension ModelFileReader {
  /// Reads `indexes` (M28) or `alternateIdentities` (M27): an array whose elements are names or arrays of names.
  func propertyLists(
    _ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner
  ) -> [EntityDescription.PropertyNames] {
    guard let elements = node.elements else {
      reportType(
        "an array of property names, or of arrays of them,", key, owner, node,
        meant: node.text.map { JSON.array([.string($0)]).description })
      return []
    }
    if elements.isEmpty { report(.emptyNameLists(key, of: owner.entity), at: node.range) }
    return elements.compactMap { propertyNames($0, key, owner) }
  }

  /// Reads an element. Returns nil if a name cannot be read.
  private func propertyNames(
    _ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner
  ) -> EntityDescription.PropertyNames? {
    let elements = node.elements ?? [node]
    var names = EntityDescription.PropertyNames([])
    names.source = DescriptionSource(text: text, name: node.range)
    for element in elements {
      guard let name = element.text else {
        reportType(
          node.elements == nil ? "the name of a property, or an array of names," : "the name of a property", key,
          owner, element)
        continue
      }
      names.source.add(key, element: names.properties.count, element.range)
      names.properties.append(name)
    }
    return names.properties.count == elements.count ? names : nil
  }
}
