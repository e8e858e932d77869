/// Groot's annotations: https://github.com/gonzalezreal/Groot, Documentation/Annotations.md.
enum GrootAnnotations {
  static func ofEntity(_ info: inout CoreDataUserInfo) -> EntityAnnotations {
    // The old spelling is read only if the new spelling is absent.
    let identity = info.take("identityAttributes") ?? info.take("identityAttribute")
    return EntityAnnotations(
      identityAttributes: identity.map { $0.value.split { $0 == " " || $0 == "," }.map(String.init) } ?? [],
      entityMapperName: info.take("entityMapperName")?.value,
      dictionaryTransformerName: info.take("JSONDictionaryTransformerName")?.value)
  }

  static func ofAttribute(_ info: inout CoreDataUserInfo) -> PropertyAnnotations {
    var annotations = ofRelationship(&info)
    annotations.transformerName = info.take("JSONTransformerName")?.value
    return annotations
  }

  static func ofRelationship(_ info: inout CoreDataUserInfo) -> PropertyAnnotations {
    guard let path = info.take("JSONKeyPath") else { return PropertyAnnotations() }
    // In the first version of Groot, properties took part in JSON unless they opted out.
    return path.value == "null" ? PropertyAnnotations(isLeftOut: true) : PropertyAnnotations(keyPaths: [path])
  }
}
