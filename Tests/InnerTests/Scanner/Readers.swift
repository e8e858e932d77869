#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
@testable import Graft

/// The ways to read JSON text without a model: it is skipped, built as a tree, or copied in compact form.
enum Readers {
  /// The error of a reader, or nil if the text is valid.
  typealias Verdict = JSONSyntaxError?

  struct Verdicts {
    var skip: Verdict
    var build: Verdict
    var compact: Verdict
    var tree: JSON?
    var text: [UInt8] = []

    /// Whether all readers agree. A key that occurs twice is valid JSON, which only readers that keep the value refuse (D8). The reader
    /// that copies looks for duplicate keys at the end of an object, so it can find another fault first.
    var agree: Bool {
      if compact?.isDuplicateKey == true { return build?.isDuplicateKey == true }
      if build?.isDuplicateKey == true { return skip != nil && Readers.same(skip, compact) }
      return Readers.same(skip, build) && Readers.same(skip, compact)
    }
  }

  static func same(_ left: Verdict, _ right: Verdict) -> Bool {
    left?.offset == right?.offset && left?.problem == right?.problem
  }

  static func read(_ bytes: [UInt8], maxDepth: Int = 512) -> Verdicts {
    atEndOfPage(bytes) { bytes in
      var verdicts = Verdicts(skip: nil, build: nil, compact: nil)
      verdicts.skip = skip(bytes, maxDepth: maxDepth)
      do throws(JSONSyntaxError) {
        verdicts.tree = try JSONBuilder.json(bytes, maxDepth: maxDepth)
      } catch {
        verdicts.build = error
      }
      do throws(JSONSyntaxError) {
        verdicts.text = try compact(bytes, maxDepth: maxDepth)
      } catch {
        verdicts.compact = error
      }
      return verdicts
    }
  }

  static func skip(_ bytes: LentBytes, maxDepth: Int = 512) -> Verdict {
    var scanner = JSONScanner(bytes, maxDepth: maxDepth)
    do throws(JSONSyntaxError) {
      try scanner.beginText()
      try scanner.skipValue()
      try scanner.endText()
      return scanner.depth == 0 ? nil : scanner.failure(.stopped)
    } catch {
      return error
    }
  }

  static func compact(_ bytes: LentBytes, maxDepth: Int = 512) throws(JSONSyntaxError) -> [UInt8] {
    var scanner = JSONScanner(bytes, maxDepth: maxDepth)
    var scratch = ScratchText()
    defer { scratch.free() }
    var compactor = JSONCompactor()
    try scanner.beginText()
    _ = try compactor.copy(&scanner, &scratch)
    try scanner.endText()
    return compactor.bytes
  }

  /// Calls a closure with a copy of the bytes that ends at the end of a memory page, so reading one byte too far crashes.
  static func atEndOfPage<Result>(_ bytes: [UInt8], _ body: (LentBytes) throws -> Result) rethrows
    -> Result
  {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let room = (bytes.count + page - 1) / page * page
    let base = mmap(nil, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let base, base != MAP_FAILED else { preconditionFailure("no memory") }
    defer { munmap(base, room + page) }
    precondition(mprotect(base + room, page, PROT_NONE) == 0)
    let start = (base + room - bytes.count).assumingMemoryBound(to: UInt8.self)
    bytes.withUnsafeBufferPointer { if let from = $0.baseAddress { start.update(from: from, count: bytes.count) } }
    return try body(LentBytes(start: start, count: bytes.count))
  }
}

extension JSONSyntaxError {
  var isDuplicateKey: Bool { if case .duplicateKey = problem { true } else { false } }
}
