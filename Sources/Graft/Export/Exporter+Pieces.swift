#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Passes finished output to a receiver, so that an export need not fit into memory.
///
///     [{"id":1},{"id":2    passed on after an element, once there is enough
///     },{"id":3}           the last byte is kept, because what follows depends on it
extension Exporter {
  /// Receives bytes that no longer change.
  typealias Receiver = (Data) throws -> Void

  /// Writes objects as `data(of:)` does, and passes the text on in pieces.
  ///
  /// With `rootsOnly`, there is only one piece, because the roots are known only when everything has been written.
  static func write(
    _ places: [(table: Int, row: UInt32)], in context: ManagedObjectContext, _ options: ExportOptions,
    as entity: EntityPlan?, isKeyed: Bool = true, mayRepeat: Bool = false, isReadAsEntity: Bool = false,
    to receive: @escaping Receiver
  ) throws(ExportError) {
    if options.rootsOnly {
      let data = try data(
        ofRoots: places, in: context, options, as: entity, isKeyed: isKeyed, mayRepeat: mayRepeat,
        isReadAsEntity: isReadAsEntity)
      try handOver(data, to: receive)
      return
    }
    var exporter = try Exporter(context, options)
    defer { exporter.free() }
    exporter.pieces = ExportPieces(receive, indents: options.indents)
    try exporter.write(places, as: entity, isKeyed: isKeyed, mayRepeat: mayRepeat, isReadAsEntity: isReadAsEntity)
    try exporter.handOver(keepingLast: 0)
  }

  /// Passes on the text of `data(of:)` in pieces.
  static func write(
    _ objects: [ManagedObject], _ options: ExportOptions, to receive: Receiver
  ) throws(ExportError) {
    guard let context = objects.first?.context else { return try handOver(empty(options), to: receive) }
    try check(objects)
    let places = objects.map { (table: $0.table, row: $0.number) }
    let entity = commonEntity(places, in: context)
    try withoutActuallyEscaping(receive) { receive throws(ExportError) in
      try write(places, in: context, options, as: entity, mayRepeat: true, to: receive)
    }
  }

  /// Replaces a file with the export. If the export fails, the file is unchanged.
  static func write(_ objects: [ManagedObject], to file: URL, _ options: ExportOptions) throws(ExportError) {
    guard file.isFileURL else { throw unwritable(file, "it is not a file") }
    // If the file is a symbolic link, its target is replaced, not the link.
    let target = file.resolvingSymlinksInPath()
    var failure: ExportError?
    let reason = DurableFile(path: target.path).replace(permissions: 0o666) { write in
      do throws(ExportError) {
        try Exporter.write(objects, options) { piece in
          if !write(piece) { throw Unwritten() }
        }
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure, !(failure.underlyingError is Unwritten) { throw failure }
    if let reason { throw unwritable(file, reason) }
  }

  /// The error for a piece that cannot be written to the file. The reason comes from the system.
  private struct Unwritten: Error {}

  private static func unwritable(_ file: URL, _ reason: String) -> ExportError {
    ExportError(code: .unwritableFile, "the file '\(file.relativePath)' cannot be written: \(reason)")
  }

  /// Passes on the finished output after an element of the outermost array or collection by keys.
  @inline(__always)
  mutating func endElement() throws(ExportError) {
    if isPieceFull, !source.options.writesLines { try handOver(keepingLast: 1) }
  }

  /// Passes on the finished output after a line.
  mutating func endLine() throws(ExportError) {
    if isPieceFull { try handOver(keepingLast: 0) }
  }

  private var isPieceFull: Bool { pieces != nil && output.count > source.options.pieceLength }

  private mutating func handOver(keepingLast rest: Int) throws(ExportError) {
    do { try pieces?.receive(output.data(upTo: output.count - rest)) } catch { throw Exporter.refused(error) }
    pieces?.note(output.count - rest, elements: document.count)
    output.keepLast(rest)
  }

  static func handOver(_ data: Data, to receive: Receiver) throws(ExportError) {
    do { try receive(data) } catch { throw refused(error) }
  }

  private static func refused(_ error: any Error) -> ExportError {
    ExportError(code: .unwritableFile, "the export cannot be written: \(error)", underlyingError: error)
  }

  /// A document with the same locations as the export: the output that was passed on is replaced by the same number of elements.
  func documentForPaths() -> [UInt8] {
    guard let pieces, pieces.bytes > 0, !source.options.writesLines else {
      return Array(output.bytes(from: document.start))
    }
    let first: [UInt8] =
      document.kind == .keyed
      ? Array(#"{"":0"#.utf8)
      : Array("[0".utf8) + repeatElement(Array(",0".utf8), count: pieces.elements - 1).joined()
    return first + output.bytes.dropFirst()
  }
}

/// The destination of the pieces of an export.
struct ExportPieces {
  let receive: Exporter.Receiver
  /// The number of bytes and elements passed on.
  private(set) var bytes = 0
  private(set) var elements = 0

  init(_ receive: @escaping Exporter.Receiver, indents: Bool) {
    guard indents else {
      self.receive = receive
      return
    }
    var indenter = JSONIndenter()
    self.receive = { bytes in
      var indented: [UInt8] = []
      bytes.withUnsafeBytes { indenter.append($0, to: &indented) }
      try receive(Data(indented))
    }
  }

  /// Adds to the number of bytes that were written, and sets the number of elements written so far.
  mutating func note(_ bytes: Int, elements: Int) {
    self.bytes += bytes
    self.elements = elements
  }
}
