import Foundation
import Graft

/// Reads whole files into memory that is allocated once.
package struct FileReader {
  /// The maximum number of bytes that are read from a file: the default limit of an import.
  package static let longest = ImportLimits().bytes

  private let streams: Streams
  /// The files that were read. One document often contains several payloads, each under its own key path.
  private var known: [UTF8Key: [UInt8]] = [:]

  package init(_ streams: Streams) { self.streams = streams }

  /// Returns the content of a file; `-` is standard input.
  package mutating func read(_ path: String) throws(Failure) -> [UInt8] {
    if let bytes = known[UTF8Key(path)] { return bytes }
    let bytes = path == "-" ? try streams.readInput() : try FileReader.read(path)
    try FileReader.checkIsText(bytes, path)
    known[UTF8Key(path)] = bytes
    return bytes
  }

  /// Returns whether a file is an SQLite database, such as a store.
  package static func isDatabase(_ path: String) -> Bool {
    guard path != "-", let start = rereads(path)?(0..<databaseStart.count) else { return false }
    return start == databaseStart
  }

  private static let databaseStart = Array("SQLite format 3\0".utf8)
  private static let snapshotStart = Array("Graft 1\n".utf8)

  /// Rejects stores where JSON is expected.
  private static func checkIsText(_ bytes: some Collection<UInt8>, _ path: String) throws(Failure) {
    if bytes.starts(with: databaseStart) {
      throw .file(
        "read", path, "it is an SQLite database, not JSON; 'graft export --store' writes the objects of a store as JSON"
      )
    }
    if bytes.starts(with: snapshotStart) {
      throw .file(
        "read", path, "it is a snapshot of a graph, not JSON; export its objects with the program that wrote it")
    }
  }

  /// Returns the name of a file for messages.
  package static func displayName(_ path: String) -> String { path == "-" ? "<stdin>" : FilePath.shown(path) }

  /// Returns the content of a file.
  package static func read(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = open(FilePath.bytes(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("read", path, lastSystemError()) }
    defer { close(descriptor) }
    return try read(descriptor: descriptor, path: path)
  }

  /// Reads an open file to its end. If its size is unknown, as for a pipe, the buffer grows.
  package static func read(descriptor: Int32, path: String) throws(Failure) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file("read", path, lastSystemError()) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .file("read", path, "it is a directory") }
    // One byte more than the size, so that the end is found without growing the buffer.
    var room = status.st_mode & S_IFMT == S_IFREG ? max(Int(status.st_size), 0) + 1 : 1 << 16
    var bytes: [UInt8] = []
    while true {
      guard bytes.count + room <= longest + 1 << 20 else {
        throw .file("read", path, "it is longer than \(longest) bytes")
      }
      let piece = read(descriptor, upTo: room)
      guard piece.error == 0 else { throw .file("read", path, String(cString: strerror(piece.error))) }
      if piece.bytes.isEmpty { return bytes }
      if bytes.isEmpty { bytes = piece.bytes } else { bytes += piece.bytes }
      guard bytes.count <= longest else { throw .file("read", path, "it is longer than \(longest) bytes") }
      if piece.bytes.count < room, status.st_mode & S_IFMT == S_IFREG { return bytes }
      room = 1 << 20
    }
  }

  /// Returns the size of a file; nil if it is unknown, as for a pipe.
  package static func size(_ path: String) -> Int? {
    FilePath.status(of: path).flatMap { $0.st_mode & S_IFMT == S_IFREG ? Int($0.st_size) : nil }
  }

  /// Reads a file or standard input piece by piece.
  package static func readChunks(
    _ path: String, _ streams: Streams, _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let descriptor = path == "-" ? STDIN_FILENO : open(FilePath.bytes(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("read", path, lastSystemError()) }
    defer { if path != "-" { close(descriptor) } }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file("read", path, lastSystemError()) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .file("read", path, "it is a directory") }
    var isFirst = true
    while true {
      // Batches that have arrived through a pipe are imported without waiting for more.
      let least = status.st_mode & S_IFMT == S_IFREG ? room : isFirst ? longestMark : 1
      let piece = read(descriptor, upTo: room, atLeast: least)
      guard piece.error == 0 else { throw .file("read", path, String(cString: strerror(piece.error))) }
      if isFirst { try checkIsText(piece.bytes, path) }
      isFirst = false
      if piece.bytes.isEmpty { return }
      try body(piece.bytes)
    }
  }

  /// Returns a function that reads the given bytes of a file again. It returns fewer at the end of the file, and nil on failure.
  /// Returns nil if the file, such as a pipe, can be read only once.
  package static func rereads(_ path: String) -> ((Range<Int>) -> [UInt8]?)? {
    var status = stat()
    guard path != "-", stat(FilePath.bytes(of: path), &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return { range in
      let descriptor = open(FilePath.bytes(of: path), O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      guard lseek(descriptor, off_t(range.lowerBound), SEEK_SET) >= 0 else { return nil }
      let piece = read(descriptor, upTo: range.count)
      return piece.error == 0 ? piece.bytes : nil
    }
  }

  /// The size of a chunk.
  private static let room = 1 << 20
  /// The number of bytes that is enough to recognize a file that is not text.
  private static let longestMark = 16

  /// Reads until there are enough bytes or the file ends.
  private static func read(
    _ descriptor: Int32, upTo room: Int, atLeast least: Int? = nil
  ) -> (bytes: [UInt8], error: Int32) {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      while count < least ?? room {
        let got = Foundation.read(descriptor, buffer.baseAddress! + count, room - count)
        if got == 0 { return }
        if got > 0 {
          count += got
        } else if errno != EINTR {
          failure = errno
          return
        }
      }
    }
    return (bytes, failure)
  }
}

/// Returns the system's reason for the failure of the last call.
package func lastSystemError() -> String { String(cString: strerror(errno)) }
