/// Any JSON value, kept as it is: numbers keep every digit, objects keep the order of their members.
///
///     let point: JSON = ["x": 1, "y": 2.5, "tags": ["a", nil]]
///
/// Two values are equal when they mean the same: the order of members does not matter, `1.0` equals `1`, and strings
/// compare by their bytes, without Unicode normalisation.
public enum JSON: Sendable {
  case null
  case boolean(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

/// A JSON number, kept as its text so that no digit is lost.
public struct JSONNumber: Sendable {
  /// The number as RFC 8259 writes it, such as `-12.50` or `1e2`.
  public let text: String

  /// Takes a text that is known to be a JSON number.
  package init(uncheckedText text: String) { self.text = text }
}

/// The members of a JSON object, in order. Keys are unique and compare by their bytes.
public struct JSONObject: Sendable {
  /// One member.
  public typealias Member = (key: String, value: JSON)
  /// The members, in order.
  public private(set) var members: [Member]

  /// Takes members whose keys are known to be unique.
  package init(uncheckedMembers members: [Member]) { self.members = members }
}
