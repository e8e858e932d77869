#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Borrowed bytes. They are valid while a closure runs, or as long as the memory that they were taken from.
///
///     try LentBytes.with(data) { bytes in ... }            // nothing is copied
///
/// Nothing checks that the memory still exists: code that keeps borrowed bytes must make sure of it.
package struct LentBytes: RandomAccessCollection {
  let buffer: UnsafeBufferPointer<UInt8>

  @inline(__always) package init(_ buffer: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0)) {
    self.buffer = buffer
  }

  @inline(__always) package var startIndex: Int { 0 }
  @inline(__always) package var endIndex: Int { buffer.count }
  @inline(__always) package subscript(index: Int) -> UInt8 { buffer[index] }

  package func makeIterator() -> UnsafeBufferPointer<UInt8>.Iterator { buffer.makeIterator() }

  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? { try body(buffer) }

  /// The bytes in a range of indices.
  func part(_ range: Range<Int>) -> LentBytes { LentBytes(UnsafeBufferPointer(rebasing: buffer[range])) }

  /// These bytes with those before and after them in memory.
  func widened(before lead: Int, behind trail: Int) -> LentBytes {
    LentBytes(UnsafeBufferPointer(start: buffer.baseAddress.map { $0 - lead }, count: lead + count + trail))
  }

  /// The first place of a byte from an index on, comparing eight at a time.
  func firstIndex(of byte: UInt8, from index: Int) -> Int? {
    firstPlace(of: byte, in: part(index..<count).buffer).map { index + $0 }
  }

  /// Runs a closure while some places have other bytes. Only for memory that belongs to the library.
  func withReplaced<Result>(_ replacements: [(index: Int, byte: UInt8)], _ body: () -> Result) -> Result {
    let memory = UnsafeMutableBufferPointer(mutating: buffer)
    let originals = replacements.map { memory[$0.index] }
    for (index, byte) in replacements { memory[index] = byte }
    defer { for (replacement, byte) in zip(replacements, originals) { memory[replacement.index] = byte } }
    return body()
  }

  // MARK: Lending

  package static func with<Result, Failure: Error>(
    _ data: Data, _ body: (LentBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var result: Swift.Result<Result, Failure>?
    data.withUnsafeBytes { raw in
      let bytes = LentBytes(raw.bindMemory(to: UInt8.self))
      result = Swift.Result { () throws(Failure) in try body(bytes) }
    }
    return try result.unsafelyUnwrapped.get()
  }

  package static func with<Result, Failure: Error>(
    _ text: String, _ body: (LentBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var text = text
    var result: Swift.Result<Result, Failure>?
    text.withUTF8 { bytes in result = Swift.Result { () throws(Failure) in try body(LentBytes(bytes)) } }
    return try result.unsafelyUnwrapped.get()
  }

  package static func with<Result, Failure: Error>(
    _ bytes: [UInt8], _ body: (LentBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in try body(LentBytes(buffer)) }
  }
}
