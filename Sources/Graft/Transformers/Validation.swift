/// A registered validation of one attribute's values, type-erased.
package struct ValueValidation: Sendable {
  package var entityName: String
  package var attributeName: String
  /// The Swift type that the closure takes, for messages.
  package var typeName: String
  /// Whether the closure can take a value of this kind.
  package var takes: @Sendable (AttributeValue) -> Bool
  /// Throws the error of the closure, or a ``TransformerInputError`` if the closure does not take the value.
  package var check: @Sendable (AttributeValue) throws -> Void
}

/// A registered validation of whole objects. Type-erased, because the object classes are defined in a higher layer.
package struct ObjectValidation: Sendable {
  package var entityName: String
  /// The Swift class that the closure takes, for messages.
  package var typeName: String
  /// Whether the closure can take objects of a class.
  package var takes: @Sendable (AnyClass) -> Bool
  /// Throws an error that describes what is wrong with an object.
  package var check: @Sendable (AnyObject) throws -> Void
}

/// The error that a registered validation throws for an invalid value or object ([I9](doc:Rules#I9)).
///
///     transformers.registerValidation(of: Event.self) { event in
///       guard let start = event.start, let end = event.end else { return }
///       if end < start { throw ValidationFailure("it ends before it begins", of: "end") }
///     }
///
/// A validation can throw any other error instead. This one can name the property at fault, so that the message shows the
/// location of its value.
public struct ValidationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The description of the problem.
  public let description: String
  /// The property at fault, or nil for the object as a whole.
  public let propertyName: String?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - description: what is wrong, in lower case, without a full stop.
  ///   - propertyName: the attribute or relationship at fault.
  public init(_ description: String, of propertyName: String? = nil) {
    self.description = description
    self.propertyName = propertyName
  }
}
