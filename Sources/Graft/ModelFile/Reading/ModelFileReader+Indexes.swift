extension ModelFileReader {
  /// Reads `indexes`: an array of names, and of arrays of names (M28).
  func indexes(_ node: ModelFileNode, _ owner: FileOwner) -> [EntityDescription.Index] {
    guard let elements = node.elements else {
      reportType(
        "an array of property names, or of arrays of them,", .indexes, owner, node,
        meant: node.text.map { JSON.array([.string($0)]).description })
      return []
    }
    if elements.isEmpty { report(.emptyIndexes(of: owner.entity), at: node.range) }
    return elements.compactMap { index($0, owner) }
  }

  /// Reads one index; nil if a name cannot be read.
  private func index(_ node: ModelFileNode, _ owner: FileOwner) -> EntityDescription.Index? {
    let elements = node.elements ?? [node]
    var index = EntityDescription.Index([])
    index.source = DescriptionSource(text: text, name: node.range)
    for element in elements {
      guard let name = element.text else {
        reportType(
          node.elements == nil ? "the name of a property, or an array of names," : "the name of a property", .indexes,
          owner, element)
        continue
      }
      index.source.add(.indexes, element: index.properties.count, element.range)
      index.properties.append(name)
    }
    return index.properties.count == elements.count ? index : nil
  }
}
