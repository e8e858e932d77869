#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// Operations on open files.
enum SystemFile {
  /// Reads the given number of bytes, or fewer if the file ends. Returns nil on failure.
  static func read(_ descriptor: Int32, count size: Int) -> [UInt8]? {
    var isRead = true
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size, let start = buffer.baseAddress {
        let piece = read(descriptor, start + count, min(size - count, 1 << 30))
        if piece < 0, errno == EINTR { continue }
        if piece < 0 { isRead = false }
        if piece <= 0 { return }
        count += piece
      }
    }
    return isRead ? bytes : nil
  }

  private static func read(_ descriptor: Int32, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.read(descriptor, bytes, count)
    #else
      Glibc.read(descriptor, bytes, count)
    #endif
  }
}
