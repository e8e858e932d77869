#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reasons why a file cannot be read, with brief wording for common reasons.
enum FileFault {
  static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file"
    case .fileReadNoPermission: "permission denied"
    default: "\(error)"
    }
  }
}
