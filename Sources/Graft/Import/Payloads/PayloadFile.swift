#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The contents of a payload in a file.
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
      throw ImportFinding.notAFile(url.absoluteString).error()
    }
    let size: Int
    let data: Data
    do {
      size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
      // The limit is checked before memory is allocated (I15).
      data = size > limit ? Data() : try Data(contentsOf: url)
    } catch {
      throw ImportFinding.unreadableFile(name, error).error()
    }
    guard size <= limit else {
      throw ImportFinding.fileTooLong(name, size, limit: limit).error()
    }
    return data
  }
}
