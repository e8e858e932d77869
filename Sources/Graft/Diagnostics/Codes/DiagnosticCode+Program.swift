// Findings of the program `graft`. The library never reports these findings.
extension DiagnosticCode {
  /// Part of a Core Data model has no counterpart in a model file.
  package static let conversion = Self("conversion")
  /// A file is not a Core Data model.
  package static let malformedCoreDataModel = Self("malformed-core-data-model")
  /// A generated class would have the name of another declaration.
  package static let takenClassName = Self("taken-class-name")
  /// Two generated classes would have the same name.
  package static let collidingClassNames = Self("colliding-class-names")
  /// Two generated properties would have the same name.
  package static let collidingPropertyNames = Self("colliding-property-names")
  /// A generated class hides a Swift or Foundation type.
  package static let hiddenType = Self("hidden-type")
}
