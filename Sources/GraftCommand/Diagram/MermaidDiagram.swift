import Graft

/// A model as a class diagram in Mermaid, whose class diagrams support inheritance.
struct MermaidDiagram {
  /// Words that Mermaid reserves and that cannot name an entity.
  private static let reservedWords: Set<String> = [
    "callback", "class", "classDef", "classDiagram", "click", "cssClass", "default", "direction", "end", "href", "link",
    "namespace", "note", "o", "style", "subgraph", "accTitle", "accDescr",
  ]

  private let model: DiagramModel

  init(_ model: DiagramModel) { self.model = model }

  /// The diagram.
  var text: String {
    let names = self.names
    var lines = ["classDiagram"]
    for (number, entity) in model.entities.enumerated() { lines += self.lines(entity, named: names[number]) }
    for (number, entity) in model.entities.enumerated() {
      if let parent = entity.parent { lines.append("  \(names[parent]) <|-- \(names[number])") }
    }
    lines += model.links.map { line($0, names) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The identifiers of the entities in the diagram: their names if Mermaid can read them without quotes.
  private var names: [String] {
    let taken = Set(model.entities.map(\.name))
    return model.entities.enumerated().map { number, entity in
      if MermaidDiagram.isPlain(entity.name) { return entity.name }
      var name = "entity\(number + 1)"
      while taken.contains(name) { name += "_" }
      return name
    }
  }

  private func lines(_ entity: DiagramModel.Entity, named name: String) -> [String] {
    let title = name == entity.name ? name : "\(name)[\"\(MermaidDiagram.escaped(entity.name))\"]"
    var members = entity.isAbstract ? ["    <<abstract>>"] : []
    members += entity.attributes.map { attribute in
      "    \(MermaidDiagram.escaped(attribute.name)): \(attribute.typeText)\(attribute.isIdentity ? " [id]" : "")"
    }
    // Relationships are lines. Owners that identify the objects are also members.
    members += entity.relationships.filter(\.isIdentity).map { relationship in
      let destination = model.entities[relationship.destination].name
      return "    \(MermaidDiagram.escaped(relationship.name)): \(MermaidDiagram.escaped(destination)) [id]"
    }
    return members.isEmpty ? ["  class \(title)"] : ["  class \(title) {"] + members + ["  }"]
  }

  /// Returns the line of a link. The number at an end is the count of objects at that end for one object at the other.
  private func line(_ link: DiagramModel.Link, _ names: [String]) -> String {
    let relationship = model.relationship(link.place)
    let from = names[link.place.entity]
    let to = "\"\(relationship.cardinality.text)\" \(names[relationship.destination])"
    let label = MermaidDiagram.escaped(model.label(link))
    guard let inverse = link.inverse else { return "  \(from) --> \(to) : \(label)" }
    return "  \(from) \"\(model.relationship(inverse).cardinality.text)\" -- \(to) : \(label)"
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else { return false }
    return !reservedWords.contains(name)
      && name.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_") }
  }

  /// Writes punctuation as Mermaid's entity codes: `#34;` is a quotation mark.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      let isPlain =
        !scalar.isASCII || scalar.properties.isAlphabetic || "0"..."9" ~= scalar
        || " _./".unicodeScalars.contains(scalar)
      result += isPlain ? String(scalar) : "#\(scalar.value);"
    }
  }
}
