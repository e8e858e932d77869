/// The fields of the model, by the spellings that a coder uses for their keys (C4).
///
/// This is a class because reading a payload adds spellings.
final class ConvertedKeys {
  private let conversion: KeyConversion
  /// The fields by the spellings of their keys, for each group that had an unknown key. Groups are identified by their first field.
  private(set) var fields: [Int: [String: Int]]

  init(_ conversion: KeyConversion, fields: [Int: [String: Int]] = [:]) {
    self.conversion = conversion
    self.fields = fields
  }

  /// Returns the field whose key a coder spells in the given way. If several fields match, returns the first.
  func field(spelled key: String, in group: GroupPlan, of plan: Plan) -> Int? {
    if let known = fields[group.first] { return known[key] }
    var spelled: [String: Int] = [:]
    for index in group.first..<group.first + group.count {
      for spelling in conversion.spellings(of: plan.fields[index].name) where spelled[spelling] == nil {
        spelled[spelling] = index
      }
    }
    fields[group.first] = spelled
    return spelled[key]
  }

  /// Returns the value of a key in a dictionary, regardless of the key's spelling in the dictionary.
  func value<Value>(of key: String, in dictionary: [String: Value]) -> Value? {
    dictionary[key] ?? conversion.spellings(of: key).lazy.compactMap { dictionary[$0] }.first
  }
}
