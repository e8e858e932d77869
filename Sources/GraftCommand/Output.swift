import Foundation
import Graft
import GraftTools

/// The documents that a command writes: some to files, at most one to standard output.
struct Output {
  private let files = FileWriter()
  private var document: [UInt8]?

  /// Adds a document, with a trailing newline unless it is empty.
  mutating func add(_ bytes: [UInt8], to path: String) throws(Failure) {
    try add(to: path) { write throws(Failure) in try write(bytes) }
  }

  /// Adds a document that arrives in pieces, with a trailing newline unless it is empty. Text for standard output is held until
  /// nothing can fail anymore.
  mutating func add(to path: String, _ body: (@escaping FileWriter.PieceWriter) throws(Failure) -> Void) throws(Failure)
  {
    let newline = UInt8(ascii: "\n")
    guard Output.isStandardOutput(path) else {
      try files.add(path) { write throws(Failure) in
        var last: UInt8?
        try body { piece throws(Failure) in
          try write(piece)
          last = piece.withUnsafeBytes { $0.last } ?? last
        }
        if let last, last != newline { try write([newline]) }
      }
      return
    }
    var bytes: [UInt8] = []
    try body { piece in piece.withUnsafeBytes { bytes += $0 } }
    if let last = bytes.last, last != newline { bytes.append(newline) }
    document = bytes
  }

  /// Adds a document that may be very long. If it goes to standard output, it is written while it is generated, except for its
  /// beginning. A reader that closes the pipe early, such as `head`, therefore ends the program, and a short document is written
  /// only if nothing fails.
  ///
  /// - Parameter hasBegun: set to true when something has been written.
  mutating func addLong(
    to path: String, _ streams: Streams, hasBegun: inout Bool,
    _ body: (@escaping FileWriter.PieceWriter) throws(Failure) -> Void
  ) throws(Failure) {
    guard Output.isStandardOutput(path) else { return try add(to: path, body) }
    let document = LongDocument(streams)
    defer { hasBegun = document.hasBegun }
    try body { piece throws(Failure) in try document.add(piece) }
    self.document = try document.end()
  }

  /// Replaces the files, all or none.
  func writeFiles() throws(Failure) { try files.commit() }

  /// Writes the document for standard output.
  func writeDocument(_ streams: Streams) throws(Failure) {
    if let document { try streams.writeOutput(document) }
  }

  /// Rejects two documents with the same destination, and documents that would replace their sources.
  ///
  /// - Parameters:
  ///   - model: the path of the model, if there is one.
  ///   - store: the path of the store.
  ///   - payloads: the paths of the payloads.
  static func check(
    _ paths: [String], model: String?, store: String?, payloads: [String] = []
  ) throws(Failure) {
    let payloads = Set(payloads.filter { $0 != "-" }.map(FilePath.place))
    var known: Set<UTF8Key> = []
    for path in paths {
      let place = isStandardOutput(path) ? UTF8Key("-") : FilePath.place(of: path)
      // Devices such as /dev/null accept any number of documents.
      if place.text.utf8.starts(with: "/dev/".utf8) { continue }
      guard known.insert(place).inserted else {
        throw .usage("two outputs go to \(isStandardOutput(path) ? "standard output" : "'\(path)'")")
      }
      if isStandardOutput(path) { continue }
      if let model, model != "-", place == FilePath.place(of: model) { throw .usage("'\(path)' is the model") }
      if payloads.contains(place) { throw .usage("'\(path)' is a payload") }
      if let store, files(ofStore: store).contains(place) { throw .usage("'\(path)' belongs to the store '\(store)'") }
    }
  }

  /// Throws if a file cannot be written, before anything is imported or exported.
  static func checkFiles(_ paths: [String]) throws(Failure) {
    for path in paths where !isStandardOutput(path) { try FileWriter.check(path) }
  }

  static func isStandardOutput(_ path: String) -> Bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
  }

  /// Returns a store and the files that are next to it while it is open.
  private static func files(ofStore path: String) -> [UTF8Key] {
    let place = FilePath.place(of: path).text
    return ["", "-wal", "-shm", "-journal", "-new"].map { UTF8Key(place + $0) }
  }
}
