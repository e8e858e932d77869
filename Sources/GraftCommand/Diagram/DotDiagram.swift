/// A model as a graph in Graphviz's language, with crow's feet for relationships and hollow arrows for inheritance.
struct DotDiagram {
  private let model: DiagramModel

  init(_ model: DiagramModel) { self.model = model }

  /// The graph.
  var text: String {
    var lines = [
      "digraph \(DotDiagram.quoted(model.name ?? "Model")) {",
      "  graph [rankdir=LR, nodesep=0.5, ranksep=1.2, fontname=\"Helvetica\"]",
      "  node [shape=plain, fontname=\"Helvetica\", fontsize=11]",
      "  edge [fontname=\"Helvetica\", fontsize=10, color=\"#64748b\"]",
    ]
    lines += model.entities.flatMap { self.lines($0) }
    for entity in model.entities {
      guard let parent = entity.parent else { continue }
      let names = "\(DotDiagram.quoted(model.entities[parent].name)) -> \(DotDiagram.quoted(entity.name))"
      lines.append("  \(names) [dir=back, arrowtail=empty]")
    }
    lines += model.links.map(line)
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private func lines(_ entity: DiagramModel.Entity) -> [String] {
    let name = entity.name.escapedForMarkup
    let title = entity.isAbstract ? "<I>\(name)</I><BR/>«abstract»" : "<B>\(name)</B>"
    var lines = [
      "  \(DotDiagram.quoted(entity.name)) [label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" CELLPADDING=\"4\">",
      "    <TR><TD COLSPAN=\"2\" BGCOLOR=\"#dbe4f0\">\(title)</TD></TR>",
    ]
    for attribute in entity.attributes {
      let name = attribute.name.escapedForMarkup
      let cell = attribute.isIdentity ? "<U>\(name)</U>" : name
      lines.append("    <TR><TD ALIGN=\"LEFT\">\(cell)</TD><TD ALIGN=\"LEFT\">\(attribute.typeText)</TD></TR>")
    }
    // Relationships are lines. Owners that identify the objects also have rows.
    for relationship in entity.relationships where relationship.isIdentity {
      let destination = model.entities[relationship.destination].name.escapedForMarkup
      let cell = "<U>\(relationship.name.escapedForMarkup)</U>"
      lines.append("    <TR><TD ALIGN=\"LEFT\">\(cell)</TD><TD ALIGN=\"LEFT\">\(destination)</TD></TR>")
    }
    return lines + ["  </TABLE>>]"]
  }

  private func line(_ link: DiagramModel.Link) -> String {
    let relationship = model.relationship(link.place)
    let from = DotDiagram.quoted(model.entities[link.place.entity].name)
    let to = DotDiagram.quoted(model.entities[relationship.destination].name)
    var words = ["label=\(DotDiagram.quoted(model.label(link)))", "dir=both"]
    words += DotDiagram.end("head", relationship.cardinality)
    if let inverse = link.inverse {
      words += DotDiagram.end("tail", model.relationship(inverse).cardinality)
    } else {
      words.append("arrowtail=none")
    }
    return "  \(from) -> \(to) [\(words.joined(separator: ", "))]"
  }

  /// Returns the symbols at an end. The maximum count is nearest to the box, followed by the minimum count.
  private static func end(_ end: String, _ cardinality: DiagramModel.Cardinality) -> [String] {
    let most = cardinality.isToMany ? "crow" : "tee"
    let least = cardinality.least == 0 ? "odot" : "tee"
    return ["arrow\(end)=\(most)\(least)", "\(end)label=\(quoted(cardinality.text))"]
  }

  /// Returns text in quotes. In labels, a backslash begins an escape.
  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return "\"\(escaped)\""
  }
}
