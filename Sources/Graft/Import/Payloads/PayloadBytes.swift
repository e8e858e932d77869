#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Borrows the bytes of the forms that a payload comes in.
enum PayloadBytes {
  static func with<Result>(
    _ data: Data, _ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    var result: Swift.Result<Result, ImportError>?
    data.withUnsafeBytes { raw in
      let bytes = raw.bindMemory(to: UInt8.self)
      do throws(ImportError) {
        result = .success(try body(bytes))
      } catch {
        result = .failure(error)
      }
    }
    return try result.unsafelyUnwrapped.get()
  }

  static func with<Result>(
    _ text: String, _ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    var text = text
    var result: Swift.Result<Result, ImportError>?
    text.withUTF8 { bytes in
      do throws(ImportError) {
        result = .success(try body(bytes))
      } catch {
        result = .failure(error)
      }
    }
    return try result.unsafelyUnwrapped.get()
  }

  static func with<Result>(
    _ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(ImportError) in try body(buffer) }
  }
}
