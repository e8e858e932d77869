import Foundation
import Graft
import GraftTools

/// `graft language-server`: helps editors with model files, over standard input and output.
struct LanguageServerCommand {
  static let options: [Arguments.Option] = [
    .init(name: "--stdio", summary: "use standard input and output (always the case)")
  ]

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: LanguageServerCommand.options)
    if let operand = arguments.operands.first { throw .usage("expected no arguments, found '\(operand)'") }
  }

  /// Answers messages until the editor ends the session, or closes the input.
  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    var reader = MessageReader(descriptor: STDIN_FILENO)
    var server = LanguageServer()
    while server.status == nil {
      let body: [UInt8]
      switch reader.next() {
      case .message(let bytes): body = bytes
      case .end: return server.statusAtEnd
      case .fault(let reason): throw Failure(status: .failed, message: "the session ends: \(reason)")
      }
      for message in server.answer(body) { try streams.writeOutput(MessageReader.framed(message)) }
    }
    return server.status ?? .done
  }
}
