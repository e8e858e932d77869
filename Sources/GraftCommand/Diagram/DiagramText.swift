/// Estimates the width of text in a diagram, because fonts differ between screens.
enum DiagramText {
  static let size = 13.0
  /// The distance of text from the edge of its box.
  static let inset = 12.0

  /// Returns the width in points, overestimated rather than underestimated.
  static func width(_ text: String, size: Double = size) -> Double {
    text.unicodeScalars.reduce(0) { $0 + width($1) } * size
  }

  private static func width(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", " ": 0.3
    case "f", "t", "r", "(", ")", "[", "]", "/", "-", "\"", "*": 0.4
    case "m", "w", "M", "W", "@", "%": 0.92
    case "A"..."Z": 0.72
    case "\0"..."\u{2FF}": 0.58
    case "\u{300}"..."\u{36F}": 0
    case "\u{370}"..."\u{10FF}": 0.7
    default: 1.05
    }
  }

  /// Returns the width of an entity's box.
  static func width(of entity: DiagramModel.Entity, in model: DiagramModel) -> Double {
    var widest = width(entity.name, size: 14) * 1.2 + (entity.isAbstract ? 16 + width("abstract", size: 11) : 0)
    for attribute in entity.attributes {
      widest = max(widest, width(attribute.name) * (attribute.isIdentity ? 1.15 : 1) + 28 + width(attribute.typeText))
    }
    for relationship in entity.relationships {
      let name = width(relationship.name) * (relationship.isIdentity ? 1.15 : 1)
      widest = max(widest, name + 28 + width(target(of: relationship, in: model)))
    }
    return max(140, (widest + 2 * inset).rounded(.up))
  }

  /// Returns the text after a relationship's name: `Power 0..*`.
  static func target(of relationship: DiagramModel.Relationship, in model: DiagramModel) -> String {
    "\(model.entities[relationship.destination].name) \(relationship.cardinality.text)"
  }
}
