import Graft

/// The entities of a model with their properties, in the form that editors list.
struct OutlineAnswer {
  /// The kind of a symbol, with its number in the protocol.
  private enum Kind: Int { case entity = 5, attribute = 8, relationship = 7 }

  private let document: ModelDocument

  init(_ document: ModelDocument) { self.document = document }

  var json: JSON {
    .array(
      document.outline.entities.map { entity in
        let attributes = entity.attributes.map { property in
          symbol(property.name, .attribute, property.type ?? "", property.range, property.declaration, [])
        }
        let relationships = entity.relationships.map { property in
          let kind = property.isToMany ? "to-many" : "to-one"
          let detail = property.destination.map { "\(kind) \($0.text)" } ?? kind
          return symbol(property.name, .relationship, detail, property.range, property.declaration, [])
        }
        let parent = entity.parent.map { "< \($0.text)" } ?? ""
        return symbol(entity.name, .entity, parent, entity.range, entity.declaration, attributes + relationships)
      })
  }

  private func symbol(
    _ name: String, _ kind: Kind, _ detail: String, _ range: Range<Int>, _ declaration: ModelOutline.Declaration,
    _ children: [JSON]
  ) -> JSON {
    [
      // Editors require a name.
      "name": .string(name.isEmpty ? "\"\"" : name), "detail": .string(detail),
      "kind": .number(JSONNumber(kind.rawValue)), "range": document.lines.range(declaration.range),
      "selectionRange": document.lines.range(range), "children": .array(children),
    ]
  }
}
