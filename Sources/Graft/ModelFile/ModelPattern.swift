/// Makes a regular expression of a `pattern`.
enum ModelPattern {
  /// Why a pattern is none.
  struct Fault: Error {
    var reason: String
  }

  /// The longest pattern, in bytes, and the most groups that may stand inside each other. The compiler of regular
  /// expressions goes deeper with each group.
  static let longest = 10_000
  static let deepest = 50

  /// Compiles a pattern, and tries it out on the empty string: some faults only show in use.
  static func compile(_ pattern: String) throws(Fault) -> Regex<AnyRegexOutput> {
    guard pattern.utf8.count <= longest else { throw Fault(reason: "it is longer than \(longest) bytes") }
    guard depth(pattern) <= deepest else { throw Fault(reason: "its groups are nested deeper than \(deepest)") }
    do {
      let regex = try Regex(pattern)
      _ = try regex.firstMatch(in: "")
      return regex
    } catch {
      throw Fault(reason: "\(error)")
    }
  }

  /// How deep brackets are nested at most, without regard to escapes.
  private static func depth(_ pattern: String) -> Int {
    var depth = 0
    var deepest = 0
    for byte in pattern.utf8 {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth = max(0, depth - 1)
      default: break
      }
    }
    return deepest
  }
}
