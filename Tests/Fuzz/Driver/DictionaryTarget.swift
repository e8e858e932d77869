import Foundation
import Graft

/// Payloads as bytes and as dictionaries from JSONSerialization.
///
///     setting | payload
enum DictionaryTarget {
  static func check(_ input: [UInt8]) throws {
    guard input.count > 1 else { return }
    let setting = PayloadSetting.named(by: input[0])
    let payload = Array(input[1...])
    guard let json = try? JSON(parsing: payload),
      let value = try? JSONSerialization.jsonObject(with: Data(payload), options: []),
      // JSONSerialization keeps fewer digits, and drops one of two canonically equivalent keys.
      (try? JSON(foundation: value)) == json, let expected = outcome(json, setting)
    else { return }
    let found = ImportOutcomeText(setting) { context throws(ImportError) in
      if let array = value as? [Any] {
        try objects(ofEntity: setting.entity, fromJSON: array, in: context, at: setting.keyPath)
      } else if let dictionary = value as? [String: Any] {
        try objects(ofEntity: setting.entity, fromJSON: dictionary, in: context, at: setting.keyPath)
      }
    }
    try expect(found.text == expected, "dictionaries and bytes differ:\n\(found.text)\n---\n\(expected)")
  }

  /// The outcome of importing text; nil if it depends on the order of members, which dictionaries do not preserve (I7).
  static func outcome(_ json: JSON, _ setting: PayloadSetting) -> String? {
    let outcomes = [json, json.reversed].map { json in
      ImportOutcomeText(setting) { context throws(ImportError) in
        try objects(ofEntity: setting.entity, fromJSON: json, in: context, at: setting.keyPath)
      }.text
    }
    return outcomes[0] == outcomes[1] ? outcomes[0] : nil
  }
}

/// The graph after an import into an empty context, or the errors of the import in any order.
struct ImportOutcomeText {
  let text: String

  init(_ setting: PayloadSetting, _ body: (ManagedObjectContext) throws(ImportError) -> Void) {
    let context = setting.context()
    do throws(ImportError) {
      try body(context)
      text = String(decoding: context.dumpBytes(), as: UTF8.self)
    } catch {
      text = ImportOutcomeText.text(of: error)
    }
  }

  static func text(of error: ImportError) -> String {
    // If several errors are alike, the first in the order of the members is reported.
    let texts = error.diagnostics.map {
      $0.count > 1 ? "\($0.count) \($0.code.rawValue)" : "\($0.path ?? ""): \($0.message)"
    }
    return Set(texts).sorted().joined(separator: "\n")
  }
}

extension JSON {
  /// Returns the same value with the members of all objects in reverse order.
  fileprivate var reversed: JSON {
    switch self {
    case .array(let elements): .array(elements.map(\.reversed))
    case .object(let object): .object(JSONObject(object.reversed().map { ($0.key, $0.value.reversed) }))
    default: self
    }
  }

  /// Returns the keys of all objects.
  var allKeys: [String] {
    switch self {
    case .array(let elements): elements.flatMap(\.allKeys)
    case .object(let object): object.flatMap { [$0.key] + $0.value.allKeys }
    default: []
    }
  }
}
