#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Borrowed bytes. They are valid while a closure runs, or as long as the memory they were taken from.
///
///     try LentBytes.with(data) { bytes in ... }            // nothing is copied
///
/// There is no check that the memory still exists, so code that keeps borrowed bytes must keep the memory alive.
package struct LentBytes: RandomAccessCollection {
  let buffer: UnsafeBufferPointer<UInt8>

  @inline(__always) package init() { buffer = UnsafeBufferPointer(start: nil, count: 0) }

  @inline(__always) package init(_ buffer: UnsafeBufferPointer<UInt8>) { self.buffer = buffer }

  @inline(__always) init(start: UnsafePointer<UInt8>?, count: Int) {
    buffer = UnsafeBufferPointer(start: start, count: count)
  }

  /// Creates the bytes of a literal, which are always valid.
  @inline(__always) init(_ text: StaticString) { self.init(start: text.utf8Start, count: text.utf8CodeUnitCount) }

  @inline(__always) init(_ first: Address<UInt8>, count: Int) { self.init(start: first.place, count: count) }

  /// Creates bytes at an address that ``address`` returned.
  @inline(__always)
  init(address: UInt, count: Int) {
    self.init(start: UnsafePointer(bitPattern: address).unsafelyUnwrapped, count: count)
  }

  @inline(__always) package var startIndex: Int { 0 }
  @inline(__always) package var endIndex: Int { buffer.count }
  @inline(__always) package var count: Int { buffer.count }
  @inline(__always) package var isEmpty: Bool { buffer.isEmpty }
  @inline(__always) package subscript(index: Int) -> UInt8 { buffer[index] }

  @inline(__always) package func makeIterator() -> UnsafeBufferPointer<UInt8>.Iterator { buffer.makeIterator() }

  @inline(__always)
  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? { try body(buffer) }

  /// Copies all bytes in one step.
  @inline(__always)
  package func _copyContents(
    initializing memory: UnsafeMutableBufferPointer<UInt8>
  ) -> (UnsafeBufferPointer<UInt8>.Iterator, Int) { buffer._copyContents(initializing: memory) }

  /// Returns the bytes in a range of indices.
  @inline(__always)
  func part(_ range: Range<Int>) -> LentBytes { LentBytes(UnsafeBufferPointer(rebasing: buffer[range])) }

  /// Returns the bytes from an index onward.
  @inline(__always)
  func rest(from index: Int) -> LentBytes { part(index..<count) }

  /// Returns these bytes together with bytes before and after them in memory.
  func widened(before lead: Int, behind trail: Int) -> LentBytes {
    LentBytes(start: baseAddress.map { $0 - lead }, count: lead + count + trail)
  }

  /// Returns the first index of a byte from an index onward.
  func firstIndex(of byte: UInt8, from index: Int) -> Int? {
    firstPlace(of: byte, in: rest(from: index)).map { index + $0 }
  }

  /// Runs a closure while the bytes at the given indexes are replaced. This is allowed only for memory that belongs to the library.
  func withReplaced<Result>(_ replacements: [(index: Int, byte: UInt8)], _ body: () -> Result) -> Result {
    let memory = UnsafeMutableBufferPointer(mutating: buffer)
    let originals = replacements.map { memory[$0.index] }
    for (index, byte) in replacements { memory[index] = byte }
    defer { for (replacement, byte) in zip(replacements, originals) { memory[replacement.index] = byte } }
    return body()
  }

  /// Returns whether these bytes begin with other bytes. Unsafe: there must be at least as many bytes here as in `other`.
  @inline(__always)
  func begins(with other: LentBytes) -> Bool { sameBytes(place, other.place, other.count) }

  // MARK: Places

  /// The address of the first byte; may be nil if there are no bytes.
  @inline(__always) var baseAddress: UnsafePointer<UInt8>? { buffer.baseAddress }

  /// The address of the first byte. If there are no bytes, there is still an address, which must not be read.
  @inline(__always) var place: UnsafePointer<UInt8> {
    buffer.baseAddress ?? UnsafePointer(bitPattern: 8).unsafelyUnwrapped
  }

  /// The address of the first byte as a number.
  @inline(__always) var address: UInt { UInt(bitPattern: place) }

  /// Returns eight bytes from an index onward as a word whose lowest byte comes first. Unsafe: the bytes must exist.
  @inline(__always)
  func word(from index: Int) -> UInt64 { load64(baseAddress.unsafelyUnwrapped + index) }

  /// Returns the bytes as a value of a plain type. Unsafe: there must be as many bytes as the type has.
  @inline(__always)
  func load<Value>(as type: Value.Type) -> Value {
    UnsafeRawPointer(baseAddress.unsafelyUnwrapped).loadUnaligned(as: type)
  }

  // MARK: Lending

  @inline(__always)
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

  @inline(__always)
  package static func with<Result>(_ text: String, _ body: (LentBytes) -> Result) -> Result {
    var text = text
    return text.withUTF8 { body(LentBytes($0)) }
  }

  @inline(__always)
  package static func with<Result, Failure: Error>(
    _ text: String, _ body: (LentBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var text = text
    var result: Swift.Result<Result, Failure>?
    text.withUTF8 { bytes in result = Swift.Result { () throws(Failure) in try body(LentBytes(bytes)) } }
    return try result.unsafelyUnwrapped.get()
  }

  @inline(__always)
  package static func with<Result, Failure: Error>(
    _ bytes: [UInt8], _ body: (LentBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in try body(LentBytes(buffer)) }
  }

  @inline(__always)
  static func with<Result, Failure: Error>(
    _ bytes: ArraySlice<UInt8>, _ body: (LentBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in try body(LentBytes(buffer)) }
  }
}
