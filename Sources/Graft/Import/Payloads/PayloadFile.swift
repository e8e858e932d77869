#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A payload in a file, read.
struct PayloadFile {
  let data: Data
  var options: ImportOptions

  init(_ url: URL, _ options: ImportOptions) throws(ImportError) {
    self.options = options
    if options.sourceName == ImportOptions().sourceName { self.options.sourceName = url.relativePath }
    data = try PayloadFile.read(url, name: self.options.sourceName, limit: options.limits.bytes)
  }

  private static func read(_ url: URL, name: String, limit: Int) throws(ImportError) -> Data {
    guard url.isFileURL else {
      throw ImportError(code: "unreadable-file", "'\(url.absoluteString)' is not a file: fetch it and import the bytes")
    }
    let size: Int
    let data: Data
    do {
      size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
      // A limit is checked before the memory is taken (I15).
      data = size > limit ? Data() : try Data(contentsOf: url)
    } catch {
      throw ImportError(
        code: "unreadable-file", "the payload file '\(name)' cannot be read: \(FileFault.reason(error))")
    }
    guard size <= limit else {
      throw ImportError(
        code: "limit-bytes",
        "the payload file '\(name)' has \(size) bytes, more than the limit 'bytes' of \(limit) allows")
    }
    return data
  }
}
