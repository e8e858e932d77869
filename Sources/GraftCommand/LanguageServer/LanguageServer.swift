import Graft
import GraftTools

/// Answers an editor's messages. It keeps the open documents, but does nothing between messages.
struct LanguageServer {
  /// The states of a session, in order.
  private enum State { case new, running, shutDown }

  private var state = State.new
  private var documents: [String: ModelDocument] = [:]
  /// Whether the editor can ask the user about single edits.
  private var asksAboutEdits = false
  /// The exit status, after the editor has ended the session.
  private(set) var status: ExitStatus?

  /// The exit status if the input ends before the session does.
  var statusAtEnd: ExitStatus { state == .running ? .failed : .done }

  /// Returns the messages that answer a message, in order.
  mutating func answer(_ body: [UInt8]) -> [JSON] {
    switch ServerMessage(body) {
    case .response: return []
    case .invalid(let id, let error): return [error.response(to: id)]
    case .notification(let method, let params): return note(method, params)
    case .request(let id, let method, let params):
      do throws(ServerError) {
        return [["jsonrpc": "2.0", "id": id, "result": try result(of: method, params)]]
      } catch {
        return [error.response(to: id)]
      }
    }
  }

  // MARK: Notifications

  private mutating func note(_ method: String, _ params: JSON) -> [JSON] {
    if method == "exit" {
      status = state == .shutDown ? .done : .failed
      return []
    }
    guard state == .running else { return [] }
    // A notification with invalid parameters has no answer, so it is ignored.
    switch method {
    case "textDocument/didOpen":
      guard let item = params["textDocument"], let uri = item["uri"]?.stringValue, let text = item["text"]?.stringValue
      else { return [] }
      return publish(ModelDocument(uri: uri, text: text, version: item["version"]))
    case "textDocument/didChange":
      guard let uri = params["textDocument"]?["uri"]?.stringValue, var document = documents[uri] else { return [] }
      document.change(params["contentChanges"]?.arrayValue ?? [], version: params["textDocument"]?["version"])
      return publish(document)
    case "textDocument/didClose":
      guard let uri = params["textDocument"]?["uri"]?.stringValue, documents.removeValue(forKey: uri) != nil else {
        return []
      }
      return [LanguageServer.diagnostics(of: uri, nil, [])]
    default: return []
    }
  }

  /// Keeps a document and reports its findings.
  private mutating func publish(_ document: ModelDocument) -> [JSON] {
    documents[document.uri] = document
    let findings = document.findings.map { DiagnosticAnswer.json($0, in: document) }
    return [LanguageServer.diagnostics(of: document.uri, document.version, findings)]
  }

  private static func diagnostics(of uri: String, _ version: JSON?, _ findings: [JSON]) -> JSON {
    var params: JSONObject = ["uri": .string(uri), "diagnostics": .array(findings)]
    params["version"] = version
    return ["jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": .object(params)]
  }

  // MARK: Requests

  private mutating func result(of method: String, _ params: JSON) throws(ServerError) -> JSON {
    switch (state, method) {
    case (.new, "initialize"):
      state = .running
      let edits = params["capabilities"]?["workspace"]?["workspaceEdit"]
      asksAboutEdits = edits?["documentChanges"] == true && edits?["changeAnnotationSupport"]?.objectValue != nil
      return ServerCapabilities.json
    case (.new, _): throw ServerError(.notInitialized, "expected 'initialize' first, found '\(method)'")
    case (.running, "initialize"): throw ServerError(.invalidRequest, "the session is already initialized")
    case (.running, "shutdown"):
      state = .shutDown
      documents = [:]
      return .null
    case (.shutDown, _): throw ServerError(.invalidRequest, "the session is shut down, found '\(method)'")
    case (.running, _): break
    }
    switch method {
    case "textDocument/completion":
      let (document, offset) = try place(params)
      return CompletionAnswer(document, offset).json
    case "textDocument/hover":
      let (document, offset) = try place(params)
      return HoverAnswer(document, offset).json
    case "textDocument/definition":
      let (document, offset) = try place(params)
      return SymbolAnswer(document, offset).definition
    case "textDocument/references":
      let (document, offset) = try place(params)
      let includesDeclaration = params["context"]?["includeDeclaration"]?.booleanValue ?? true
      return SymbolAnswer(document, offset).references(includesDeclaration: includesDeclaration)
    case "textDocument/prepareRename":
      let (document, offset) = try place(params)
      return SymbolAnswer(document, offset).renamedRange
    case "textDocument/rename":
      let (document, offset) = try place(params)
      guard let name = params["newName"]?.stringValue else { throw ServerError(.invalidParams, "there is no new name") }
      return try SymbolAnswer(document, offset).rename(to: name, asksAboutEdits: asksAboutEdits)
    case "textDocument/documentSymbol": return OutlineAnswer(try self.document(params)).json
    case "textDocument/codeAction":
      let document = try document(params)
      guard let range = params["range"], let start = document.offset(of: range["start"]),
        let end = document.offset(of: range["end"])
      else { throw ServerError(.invalidParams, "the range is not valid") }
      let only = params["context"]?["only"]?.arrayValue?.compactMap(\.stringValue)
      return FixAnswer(document).actions(in: min(start, end)...max(start, end), only: only)
    case "textDocument/formatting": return FormattingAnswer.edits(try document(params))
    default: throw ServerError(.methodNotFound, "unknown method '\(method)'")
    }
  }

  private func document(_ params: JSON) throws(ServerError) -> ModelDocument {
    guard let uri = params["textDocument"]?["uri"]?.stringValue else {
      throw ServerError(.invalidParams, "there is no document")
    }
    guard let document = documents[uri] else { throw ServerError(.invalidParams, "the document '\(uri)' is not open") }
    return document
  }

  private func place(_ params: JSON) throws(ServerError) -> (document: ModelDocument, offset: Int) {
    let document = try document(params)
    guard let offset = document.offset(of: params["position"]) else {
      throw ServerError(.invalidParams, "the position is not valid")
    }
    return (document, offset)
  }
}

/// The capabilities of the server.
enum ServerCapabilities {
  static var json: JSON {
    [
      "capabilities": [
        "positionEncoding": "utf-16",
        "textDocumentSync": ["openClose": true, "change": 1],
        "completionProvider": ["triggerCharacters": ["\""]],
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentSymbolProvider": true,
        "renameProvider": ["prepareProvider": true],
        "codeActionProvider": ["codeActionKinds": ["quickfix", "source.fixAll"]],
        "documentFormattingProvider": true,
      ],
      "serverInfo": ["name": "graft", "version": .string(programVersion)],
    ]
  }
}
