/// A value transformer as the engine calls it: types erased, errors kept.
package struct ValueTransformer: Sendable {
  /// The name it is registered by, such as `StringToInteger` or `DateFormat(yyyy-MM-dd)`.
  package var name: String
  /// One that the engine knows and may run on the bytes without calling ``forward``.
  package var builtIn: BuiltInTransformer?
  /// What the closure takes, for messages: `a string`.
  package var input: String
  /// From a JSON value (never null) to a stored value; nil sets nil. Throws ``TransformerInputError`` when the JSON
  /// value is of another type than the closure takes (T3), and whatever the closure throws.
  package var forward: @Sendable (JSON) throws -> AttributeValue?
  /// From a stored value to a JSON value; nil writes null (T4). No reverse: the stored value is exported.
  package var reverse: (@Sendable (AttributeValue) throws -> JSON?)?
}

/// The transformers that need no code (T2).
package enum BuiltInTransformer: Sendable, Hashable {
  case stringToInteger, stringToDecimal, stringToDouble, unixTime, unixTimeMilliseconds, dateFormat(String)
  case stringToURL, stringToUUID, lowercase, integerToBoolean, stringToBoolean
}

/// The JSON value is not of the type that a transformer takes, or its text cannot be read (T2, T3).
package struct TransformerInputError: Error {
  /// What it takes, as a noun phrase: `digits in a string`.
  package var expected: String
}
