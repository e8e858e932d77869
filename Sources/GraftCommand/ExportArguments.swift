import Graft
import GraftTools

/// The options of all commands that export objects.
enum ExportArguments {
  static let options: [Arguments.Option] = [
    .init(name: "--indent", summary: "write each member and element on its own line"),
    .init(name: "--omit-nil", summary: "omit properties without a value"),
    .init(name: "--roots", summary: "write only objects that no other object contains"),
    .init(name: "--once", summary: "write a shared object once for each root"),
    .init(name: "--depth", value: "N", summary: "write at most N levels deep"),
    .init(
      name: "--representation", value: "NAME=object|identifier|none", isRepeatable: true,
      summary: "how a relationship is written"),
    .init(
      name: "--incomplete", value: "omit|error",
      summary: "what to do with relationships that cannot be written completely"),
  ]

  static func exportOptions(_ arguments: Arguments) throws(Failure) -> ExportOptions {
    var options = ExportOptions()
    options.words = .program
    options.indents = arguments.has("--indent")
    options.omitsNil = arguments.has("--omit-nil")
    options.rootsOnly = arguments.has("--roots")
    if arguments.has("--once") { options.sharedObjects = .once }
    if let depth = try arguments.number(of: "--depth") { options.maxDepth = depth }
    for word in arguments.values(of: "--representation") {
      let (entity, relationship, representation) = try representation(word)
      options.representations[entity, default: [:]][relationship] = representation
    }
    options.incompleteRelationships = try arguments.choice(of: "--incomplete") ?? .omit
    return options
  }

  /// Reads `Hero.powers=identifier`: a relationship of an entity, and the form in which it is written.
  private static func representation(
    _ word: String
  ) throws(Failure) -> (entity: String, relationship: String, RelationshipDescription.JSONRepresentation) {
    let parts = word.parts(between: "=", most: 1)
    let names = parts[0].parts(between: ".", most: 1)
    guard parts.count == 2, names.count == 2, !names[0].isEmpty, !names[1].isEmpty else {
      throw .usage(
        "expected '--representation' ENTITY.RELATIONSHIP=WORD, such as 'Hero.powers=identifier', found '\(word)'")
    }
    let words = RelationshipDescription.JSONRepresentation.allCases.map(\.rawValue)
    guard let representation = RelationshipDescription.JSONRepresentation(rawValue: parts[1]) else {
      throw .usage(
        "'--representation' expects 'object', 'identifier' or 'none' after the equals sign, found '\(parts[1])'",
        suggestion: Suggestion.nearest(to: parts[1], among: words))
    }
    return (names[0], names[1], representation)
  }
}
