import Graft
import GraftTools

/// Translates a Core Data model to a model file. Choices and losses become notes.
struct CoreDataTranslator {
  let model: CoreDataModel
  let convention: AnnotationConvention?
  /// The key strategy for properties without a key path.
  let strategy: ModelDescription.KeyStrategy
  var notes: ConversionNotes

  /// - Parameter keyStrategy: the key strategy for properties without annotations; nil if the annotations decide.
  init(_ model: CoreDataModel, keyStrategy: ModelDescription.KeyStrategy?) {
    self.model = model
    notes = ConversionNotes(model.source)
    let found = AnnotationConvention.found(in: model)
    convention = found.first?.convention
    strategy = keyStrategy ?? convention?.keyStrategy ?? .explicit
    noteConventions(found)
  }

  private mutating func noteConventions(_ found: [(convention: AnnotationConvention, place: SourcePlace)]) {
    guard let first = found.first else {
      let isEmpty = model.entities.isEmpty
      if isEmpty || strategy == .explicit {
        notes.add(isEmpty ? .noEntities(place(model.tag)) : .noAnnotations(place(model.tag)))
      }
      return
    }
    if first.convention != .groot {
      notes.add(.convention(first.convention, strategy.rawValue, first.place))
      notes.add(.looseTypes(first.convention, first.place))
    }
    for other in found.dropFirst() { notes.add(.otherConvention(other.convention, first.convention, other.place)) }
  }

  /// Returns the translated model.
  ///
  /// - Parameter name: the model's name.
  mutating func translate(name: String?) -> ModelDescription {
    notes.addUnknownWords(in: model.tag)
    let named = model.entities.filter { isNamed($0.name, $0.tag) }
    let classNames = classNames(of: named)
    var entities = zip(named, classNames).map { translate($0, className: $1) }
    let hierarchy = CoreDataHierarchy(entities)
    identify(&entities, named, hierarchy)
    addIndexes(&entities, named, hierarchy)
    if convention == .sync { addIdentifierKeys(&entities, hierarchy) }
    for request in model.tag.children(named: "fetchRequest") {
      notes.add(.fetchRequest(request["name"] ?? "", place(request, "name")))
    }
    var description = ModelDescription(name: name, entities: entities)
    description.version = model.versionIdentifier
    description.keyStrategy = strategy
    description.userInfo = model.userInfo.kept
    return description
  }

  func place(_ tag: XMLTag, _ attribute: String? = nil) -> SourcePlace { tag.place(of: attribute, in: model.source) }

  mutating func isNamed(_ name: String, _ tag: XMLTag) -> Bool {
    if name.isEmpty { notes.add(.noName(tag.name, place(tag))) }
    return !name.isEmpty
  }

  // MARK: Entities

  private mutating func translate(_ entity: CoreDataEntity, className: String?) -> EntityDescription {
    var info = entity.userInfo
    let annotations = annotations(of: entity, &info)
    var description = EntityDescription(entity.name)
    description.parentName = entity.parentName
    description.isAbstract = entity.isAbstract
    description.className = className
    description.identityAttributes = annotations.identityAttributes
    description.entityMapperName = annotations.entityMapperName
    description.dictionaryTransformerName = annotations.dictionaryTransformerName
    description.attributes = entity.attributes.compactMap { translate($0, of: entity) }
    description.relationships = entity.relationships.compactMap { translate($0, of: entity) }
    description.userInfo = info.kept
    for property in entity.tag.children(named: "fetchedProperty") {
      notes.add(.fetchedProperty("\(entity.name).\(property["name"] ?? "")", place(property, "name")))
    }
    return description
  }

  private func annotations(of entity: CoreDataEntity, _ info: inout CoreDataUserInfo) -> EntityAnnotations {
    switch convention {
    case .groot: GrootAnnotations.ofEntity(&info)
    case .magicalRecord: MagicalRecordAnnotations.ofEntity(&info)
    case .sync:
      EntityAnnotations(identityAttributes: SyncAnnotations.identity(among: entity.attributes).map { [$0] } ?? [])
    case nil: EntityAnnotations()
    }
  }

  // MARK: Classes

  /// Returns the class of each entity, or nil if it has the same name as the entity.
  ///
  /// Core Data entities may share a class. Here, each entity needs its own, so only the first keeps it.
  private mutating func classNames(of entities: [CoreDataEntity]) -> [String?] {
    let names = entities.map { CoreDataTranslator.className($0.className) }
    var taken = Set(zip(entities, names).filter { $1 == nil || $1 == $0.name }.map(\.0.name))
    return zip(entities, names).map { entity, name in
      guard let name, name != entity.name else { return nil }
      guard NameRules.isSwiftTypeName(name) else {
        notes.add(.badClass(name, of: entity.name, place(entity.tag, "representedClassName")))
        taken.insert(entity.name)
        return nil
      }
      guard taken.insert(name).inserted else {
        notes.add(.sharedClass(name, of: entity.name, place(entity.tag, "representedClassName")))
        taken.insert(entity.name)
        return nil
      }
      return name
    }
  }

  /// Returns `Hero` for `Comics.Hero`, `.Hero` and `$(PRODUCT_MODULE_NAME).Hero`; nil if the entity has no class other than
  /// `NSManagedObject`.
  private static func className(_ text: String?) -> String? {
    guard let name = text?.parts(between: ".").last(where: { !$0.isEmpty }), name != "NSManagedObject" else {
      return nil
    }
    return name
  }
}
