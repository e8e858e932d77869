/// MagicalRecord's data import: https://github.com/magicalpanda/MagicalRecord, Docs/Importing-Data.md.
enum MagicalRecordAnnotations {
  /// The keys for an entity's identity attribute, in version 2 and in version 3.
  static let identityKeys = ["relatedByAttribute", "distinctAttribute"]

  static func ofEntity(_ info: inout CoreDataUserInfo) -> EntityAnnotations {
    let identity = identityKeys.compactMap { info.take($0) }.first
    return EntityAnnotations(identityAttributes: identity.map { [$0.value] } ?? [])
  }

  static func ofAttribute(_ info: inout CoreDataUserInfo, isDate: Bool) -> PropertyAnnotations {
    var annotations = PropertyAnnotations(keyPaths: keyPaths(&info), isLeftOut: isLeftOut(&info))
    if isDate, let format = info.take("dateFormat")?.value {
      // With this word, numbers are read as milliseconds; without a date format, as seconds.
      annotations.transformerName = format == "UnixTime" ? "UnixTimeMilliseconds" : "DateFormat(\(format))"
    }
    return annotations
  }

  static func ofRelationship(_ info: inout CoreDataUserInfo) -> PropertyAnnotations {
    PropertyAnnotations(keyPaths: keyPaths(&info), isLeftOut: isLeftOut(&info), addsToMany: true)
  }

  /// Returns a relationship's annotation about its destination.
  static func identity(ofDestination info: CoreDataUserInfo) -> CoreDataUserInfo.Entry? {
    identityKeys.lazy.compactMap { info[$0] }.first
  }

  /// Returns the identity attribute of an entity without an annotation for it.
  static func usualIdentity(of entityName: String) -> String {
    entityName.prefix(1).lowercased() + entityName.dropFirst() + "ID"
  }

  private static func isLeftOut(_ info: inout CoreDataUserInfo) -> Bool {
    guard ["YES", "true", "1"].contains(info["excludeFromImport"]?.value) else { return false }
    return info.take("excludeFromImport") != nil
  }

  /// Returns the key paths: `mappedKeyName`, followed by `mappedKeyName.0` to `mappedKeyName.9`.
  private static func keyPaths(_ info: inout CoreDataUserInfo) -> [CoreDataUserInfo.Entry] {
    let keys = ["mappedKeyName"] + (0...9).map { "mappedKeyName.\($0)" }
    return keys.compactMap { info.take($0) }
  }
}
