/// Describes where a store of an earlier version has the values of a property (S21).
enum MigrationWords {
  static func sentence(_ version: String, _ attributes: [String]) -> String {
    let names = attributes.map { "'\($0)'" }.joined(separator: " and ")
    return "A store of a version before \(version) has its values in \(names)."
  }
}
