import Graft

/// Sync: https://github.com/3lvis/Sync. Each key may begin with `sync.` or, in older versions, `hyper.`.
enum SyncAnnotations {
  static func ofAttribute(_ info: inout CoreDataUserInfo, name: String, of entity: String) -> PropertyAnnotations {
    // An identity is always read and written.
    let isNotExported = !isMarked(info) && !isUsualIdentity(name) && take("nonExportable", &info) != nil
    if isMarked(info) { _ = take("isPrimaryKey", &info) }
    return PropertyAnnotations(
      keyPaths: [take("remoteKey", &info)].compactMap(\.self),
      fixedKeyPath: isUsualIdentity(name) ? "id" : unprefixed(name, of: entity),
      transformerName: take("valueTransformer", &info)?.value, isNotExported: isNotExported)
  }

  /// Returns a name without the entity's name as its prefix. `userType` of `User` is `type` in JSON, because Core Data reserves
  /// such names.
  private static func unprefixed(_ name: String, of entity: String) -> String? {
    func snakeCase(_ name: String) -> String? {
      ModelDescription.KeyStrategy.snakeCase.keyPath(ofProperty: name)?.keys.first
    }
    guard let key = snakeCase(name), let prefix = snakeCase(entity) else { return nil }
    return ["type", "description", "signed"].first { key == "\(prefix)_\($0)" }
  }

  static func ofRelationship(_ info: inout CoreDataUserInfo) -> PropertyAnnotations {
    PropertyAnnotations(
      keyPaths: [take("remoteKey", &info)].compactMap(\.self), isNotExported: take("nonExportable", &info) != nil)
  }

  /// Returns the attribute that is marked as the primary key or, if there is none, `id` or `remoteID`.
  static func identity(among attributes: [CoreDataAttribute]) -> String? {
    (attributes.first { isMarked($0.userInfo) } ?? attributes.first { isUsualIdentity($0.name) })?.name
  }

  private static func isMarked(_ info: CoreDataUserInfo) -> Bool {
    ["sync.isPrimaryKey", "hyper.isPrimaryKey"].contains { ["YES", "true"].contains(info[$0]?.value) }
  }

  private static func isUsualIdentity(_ name: String) -> Bool { name == "id" || name == "remoteID" }

  /// Removes a key in both of its spellings; the newer one takes precedence.
  private static func take(_ key: String, _ info: inout CoreDataUserInfo) -> CoreDataUserInfo.Entry? {
    let old = info.take("hyper.\(key)")
    return info.take("sync.\(key)") ?? old
  }
}
