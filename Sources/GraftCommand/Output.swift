import Foundation
import GraftTools

/// The documents that a command writes: some to files, at most one to standard output.
struct Output {
  private let files = FileWriter()
  private var document: [UInt8]?

  /// Adds a document, with a trailing newline.
  mutating func add(_ bytes: [UInt8], to path: String) throws(Failure) {
    try add(to: path) { write throws(Failure) in try write(bytes) }
  }

  /// Adds a document that comes in pieces, with a trailing newline. What goes to the standard output is held until nothing can fail any more.
  mutating func add(to path: String, _ body: (@escaping FileWriter.PieceWriter) throws(Failure) -> Void) throws(Failure)
  {
    let newline = UInt8(ascii: "\n")
    guard path == "-" else {
      try files.add(path) { write throws(Failure) in
        var last: UInt8?
        try body { piece throws(Failure) in
          try write(piece)
          last = piece.withUnsafeBytes { $0.last } ?? last
        }
        if last != newline { try write([newline]) }
      }
      return
    }
    var bytes: [UInt8] = []
    try body { piece in piece.withUnsafeBytes { bytes += $0 } }
    if bytes.last != newline { bytes.append(newline) }
    document = bytes
  }

  /// Replaces the files, all or none.
  func writeFiles() throws(Failure) { try files.commit() }

  /// Writes the document for standard output.
  func writeDocument(_ streams: Streams) throws(Failure) {
    if let document { try streams.writeOutput(document) }
  }

  /// Rejects two documents with the same destination.
  static func check(_ paths: [String]) throws(Failure) {
    var known: Set<String> = []
    for path in paths {
      let place = path == "-" ? "-" : FilePath.place(of: path)
      // Devices such as /dev/null accept any number of documents.
      guard !place.hasPrefix("/dev/"), !known.insert(place).inserted else { continue }
      throw .usage("two outputs go to \(path == "-" ? "the standard output" : "'\(path)'")")
    }
  }
}
