import GraftTools

/// The documents that a command writes: some to files, at most one to standard output.
struct Output {
  /// A document and its destination; `-` is standard output.
  typealias Document = (path: String, bytes: [UInt8])

  private var files: [Document] = []
  private var document: [UInt8]?

  /// Adds a document, with a trailing newline.
  mutating func add(_ bytes: [UInt8], to path: String) {
    var bytes = bytes
    if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    if path == "-" { document = bytes } else { files.append((path, bytes)) }
  }

  /// Writes the files, all or none.
  func writeFiles() throws(Failure) { try FileWriter.write(files) }

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
