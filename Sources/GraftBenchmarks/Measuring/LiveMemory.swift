import Foundation

/// The bytes that are allocated and not freed, that is, the memory that a graph holds, without the allocator's reserves.
enum LiveMemory {
  /// Returns nil if the platform does not report it.
  static func bytes() -> Int? {
    #if canImport(Glibc)
      guard let report = allocatorReport() else { return nil }
      // The totals over all arenas follow the last arena.
      let totals = report.components(separatedBy: "</heap>").last ?? ""
      guard let fast = number("size", of: #"<total type="fast""#, in: totals),
        let rest = number("size", of: #"<total type="rest""#, in: totals),
        let mapped = number("size", of: #"<total type="mmap""#, in: totals),
        let system = number("size", of: #"<system type="current""#, in: totals)
      else { return nil }
      return system - fast - rest + mapped
    #else
      return nil
    #endif
  }

  #if canImport(Glibc)
    private typealias AllocatorInformation = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32

    /// Returns the output of `malloc_info`. The function is looked up by name, because Swift's view of the C library does not
    /// include its header.
    private static func allocatorReport() -> String? {
      guard let symbol = dlsym(nil, "malloc_info") else { return nil }
      let write = unsafeBitCast(symbol, to: AllocatorInformation.self)
      var text: UnsafeMutablePointer<CChar>?
      var count = 0
      guard let stream = open_memstream(&text, &count) else { return nil }
      let status = write(0, stream)
      fclose(stream)
      defer { free(text) }
      guard status == 0, let text else { return nil }
      return String(cString: text)
    }

    private static func number(_ attribute: String, of element: String, in text: String) -> Int? {
      guard let start = text.range(of: element),
        let value = text.range(of: " \(attribute)=\"", range: start.upperBound..<text.endIndex),
        let end = text[value.upperBound...].firstIndex(of: "\"")
      else { return nil }
      return Int(text[value.upperBound..<end])
    }
  #endif
}
