/// A validation of one attribute's values that a program registered, types erased.
package struct ValueValidation: Sendable {
  package var entityName: String
  package var attributeName: String
  /// The Swift type that it takes, for messages.
  package var typeName: String
  /// Whether it takes a value of that kind.
  package var takes: @Sendable (AttributeValue) -> Bool
  /// Throws what is wrong with a value: what the closure throws, or a ``TransformerInputError`` if it does not take it.
  package var check: @Sendable (AttributeValue) throws -> Void
}

/// A validation of whole objects that a program registered. What an object is, upper floors know.
package struct ObjectValidation: Sendable {
  package var entityName: String
  /// The Swift class that it takes, for messages.
  package var typeName: String
  /// Whether it takes objects of a class.
  package var takes: @Sendable (AnyClass) -> Bool
  /// Throws what is wrong with an object.
  package var check: @Sendable (AnyObject) throws -> Void
}

/// What is wrong with a value or an object, thrown by a validation that a program registered (I9).
///
///     transformers.registerValidation(of: Event.self) { event in
///       guard let start = event.start, let end = event.end else { return }
///       if end < start { throw ValidationFailure("it ends before it begins", of: "end") }
///     }
///
/// Any other error serves as well; this one can say which property is meant, so that the place of its value is shown.
public struct ValidationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in words.
  public let description: String
  /// The property that is meant; nil: the object as a whole.
  public let propertyName: String?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - description: what is wrong, in lower case, without a full stop.
  ///   - propertyName: the attribute or relationship that is meant.
  public init(_ description: String, of propertyName: String? = nil) {
    self.description = description
    self.propertyName = propertyName
  }
}
