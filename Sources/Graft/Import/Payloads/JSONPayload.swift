#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// JSON that can be imported, in one of the forms that programs use.
///
///     try object(Hero.self, fromJSON: response.body, in: context)                       // Data
///     try object(Hero.self, fromJSON: #"{"id": 1}"#, in: context)                       // a literal is JSON text
///     try objects(Hero.self, fromJSON: ["id": 1, "name": "Batman"], in: context)        // [String: Any]
///     try objects(Hero.self, fromJSON: URL(filePath: "heroes.json"), in: context)       // a file
///
/// `String`, `Substring`, `Data`, arrays of bytes, ``JSON``, file URLs, and the dictionaries and arrays of JSONSerialization are
/// payloads. All these forms give the same graph and the same errors ([I1](doc:Rules#I1)); only text, bytes and files have lines and
/// columns. A type of your own becomes a payload by wrapping one of these forms:
///
///     extension ByteBuffer: JSONPayload {
///       public var payloadContent: PayloadContent { .bytes(Array(readableBytesView)) }
///     }
public protocol JSONPayload {
  /// The content of the payload.
  var payloadContent: PayloadContent { get }
}

/// The content of a ``JSONPayload``.
public struct PayloadContent {
  enum Form {
    case text(String)
    case data(Data)
    case bytes([UInt8])
    case json(JSON)
    case foundation(Any)
    case file(URL)
  }

  let form: Form

  /// JSON text.
  public static func text(_ text: String) -> PayloadContent { PayloadContent(form: .text(text)) }
  /// JSON in UTF-8.
  public static func data(_ data: Data) -> PayloadContent { PayloadContent(form: .data(data)) }
  /// JSON in UTF-8.
  public static func bytes(_ bytes: [UInt8]) -> PayloadContent { PayloadContent(form: .bytes(bytes)) }
  /// A JSON value.
  public static func json(_ json: JSON) -> PayloadContent { PayloadContent(form: .json(json)) }
  /// Dictionaries, arrays and scalars such as JSONSerialization returns.
  public static func foundation(_ value: Any) -> PayloadContent { PayloadContent(form: .foundation(value)) }
  /// The contents of a file, which is read as a whole. Error messages include the file's name.
  public static func file(_ url: URL) -> PayloadContent { PayloadContent(form: .file(url)) }
}

extension String: JSONPayload {
  /// The string as JSON text.
  public var payloadContent: PayloadContent { .text(self) }
}

extension Substring: JSONPayload {
  /// The string as JSON text.
  public var payloadContent: PayloadContent { .text(String(self)) }
}

extension Data: JSONPayload {
  /// The bytes as JSON in UTF-8.
  public var payloadContent: PayloadContent { .data(self) }
}

extension JSON: JSONPayload {
  /// The value itself.
  public var payloadContent: PayloadContent { .json(self) }
}

extension URL: JSONPayload {
  /// The contents of the file.
  public var payloadContent: PayloadContent { .file(self) }
}

extension Array: JSONPayload {
  /// Bytes as JSON in UTF-8; everything else as a JSON array.
  public var payloadContent: PayloadContent {
    // The static type determines the form, because a cast would turn an array of small numbers into bytes. A cast from an array converts
    // each element, even to the same type; a cast from `Any` does not.
    if Element.self == UInt8.self, let bytes = self as Any as? [UInt8] { return .bytes(bytes) }
    return .foundation(self as [Any])
  }
}

extension Dictionary: JSONPayload where Key == String {
  /// The dictionary as a JSON object.
  public var payloadContent: PayloadContent { .foundation(self as [String: Any]) }
}
