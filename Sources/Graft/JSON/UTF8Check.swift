/// Checks whether bytes are well-formed UTF-8.
package enum UTF8Check {
  /// Returns whether bytes are well-formed UTF-8. ASCII is checked eight bytes at a time.
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return true }
    var offset = 0
    while offset + 8 <= bytes.count {
      guard start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 else { break }
      offset += 8
    }
    while offset < bytes.count, bytes[offset] < 0x80 { offset += 1 }
    guard offset < bytes.count else { return true }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = UnsafeBufferPointer(rebasing: bytes[offset...]).makeIterator()
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }
}
