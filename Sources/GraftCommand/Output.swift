/// The documents that a command writes: some to files, at most one to the standard output.
struct Output {
  /// A document and where it goes; `-` is the standard output.
  typealias Document = (path: String, bytes: [UInt8])

  private var files: [Document] = []
  private var document: [UInt8]?

  /// Adds a document. It ends with a line end, as text files do.
  mutating func add(_ bytes: [UInt8], to path: String) {
    var bytes = bytes
    if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    if path == "-" { document = bytes } else { files.append((path, bytes)) }
  }

  /// Writes the files, all or none.
  func writeFiles() throws(Failure) { try FileWriter.write(files) }

  /// Writes what goes to the standard output.
  func writeDocument(_ streams: Streams) throws(Failure) {
    if let document { try streams.writeOutput(document) }
  }

  /// Two documents cannot go to one place.
  static func check(_ paths: [String]) throws(Failure) {
    var known: Set<String> = []
    for path in paths {
      let place = path == "-" ? "-" : FilePath.place(of: path)
      // Devices, such as /dev/null, take any number.
      guard !place.hasPrefix("/dev/"), !known.insert(place).inserted else { continue }
      throw .usage("two outputs go to \(path == "-" ? "the standard output" : "'\(path)'")")
    }
  }
}
