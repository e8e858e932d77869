import Graft

/// The enum of a model, which contains its text and its classes, ready to load.
struct ModelEnumText {
  let text: String

  init(_ generator: ClassGenerator) {
    let (names, model) = (generator.names, generator.facts.model)
    let access = generator.options.access.modifier
    let file = generator.modelFile
    let documentation = Documentation.lines(model.documentation, indentation: "")
    let classes = model.entities.map { "      \(generator.qualified(names.classes[$0.name] ?? "")).self,\n" }.joined()
    text = """
      \(documentation)\(documentation.isEmpty ? "" : "///\n")/// The model of '\(file.escapedForDisplay())', with its classes:
      ///
      ///     let context = ManagedObjectContext(model: try \(names.model).load())
      \(access)nonisolated enum \(names.model) {
        /// Loads the model, with its classes.
        ///
        /// - Parameter transformers: the transformers and mappers that the model names.
        \(access)static func load(transformers: TransformerRegistry = .standard) throws(ModelError) -> ManagedObjectModel {
          try ManagedObjectModel(text: text, name: \(SwiftLiteral.string(file)), transformers: transformers, classes: classes)
        }

        /// The class of each entity.
        \(access)static var classes: [ManagedObject.Type] {
          [
      \(classes)    ]
        }

        /// The text of the model file.
        \(access)static let text = \(SwiftLiteral.lines(generator.modelText, indentation: "    "))
      }

      """
  }
}
