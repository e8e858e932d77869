import Graft

/// A message from the editor (JSON-RPC 2.0).
enum ServerMessage {
  case request(id: JSON, method: String, params: JSON)
  case notification(method: String, params: JSON)
  /// The response to a request from the server, which does not send any.
  case response
  case invalid(id: JSON, ServerError)

  init(_ body: [UInt8]) {
    guard let json = try? JSON(parsing: body) else {
      self = .invalid(id: .null, ServerError(.parseError, "the message is not valid JSON"))
      return
    }
    let id = json["id"]
    let isValidID = id?.stringValue != nil || id?.numberValue != nil
    guard json.objectValue != nil, json["jsonrpc"]?.stringValue == "2.0" else {
      self = .invalid(
        id: isValidID ? id ?? .null : .null, ServerError(.invalidRequest, "expected a JSON-RPC 2.0 message"))
      return
    }
    guard let method = json["method"]?.stringValue else {
      let isResponse = json["method"] == nil && (json["result"] != nil || json["error"] != nil)
      self =
        isResponse
        ? .response
        : .invalid(id: isValidID ? id ?? .null : .null, ServerError(.invalidRequest, "the message has no method"))
      return
    }
    let params = json["params"] ?? .null
    switch id {
    case nil: self = .notification(method: method, params: params)
    case let id? where isValidID: self = .request(id: id, method: method, params: params)
    default: self = .invalid(id: .null, ServerError(.invalidRequest, "the id is neither a string nor a number"))
    }
  }
}

/// The error for a request that fails.
struct ServerError: Error {
  /// The codes of JSON-RPC and of the protocol.
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case notInitialized = -32002
    case requestFailed = -32803
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Returns the response to a request.
  func response(to id: JSON) -> JSON {
    [
      "jsonrpc": "2.0", "id": id,
      "error": ["code": .number(JSONNumber(code.rawValue)), "message": .string(message)],
    ]
  }
}
