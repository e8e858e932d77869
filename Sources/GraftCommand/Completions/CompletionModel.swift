import Graft
import GraftSQLite
import GraftTools

/// The model whose names are completed. If it cannot be read, it has no names.
enum CompletionModel {
  case file(String)
  /// The model that a store was last written with.
  case store(String)

  var entityNames: [String] { entities.map(\.name) }

  var entities: [EntityDescription] {
    guard let source else { return [] }
    let (model, _) = ModelFile.read(source, transformers: .standard, unregisteredNames: .warning)
    return model?.entities ?? []
  }

  /// Returns the names of the properties that an entity has or inherits, in order.
  func propertyNames(of entityName: String, attributesOnly: Bool) -> [String] {
    let entities = entities
    var lineage: [EntityDescription] = []
    var next: String? = entityName
    while let name = next, let entity = entities.first(where: { $0.name == name }),
      !lineage.contains(where: { $0.name == name })
    {
      lineage.append(entity)
      next = entity.parentName
    }
    return lineage.reversed().flatMap { entity in
      entity.attributes.map(\.name) + (attributesOnly ? [] : entity.relationships.map(\.name))
    }
  }

  private var source: SourceText? {
    switch self {
    case .file("-"): return nil
    case .file(let path):
      var reader = FileReader(.standard)
      return (try? reader.read(path)).map { SourceText(name: path, bytes: $0) }
    case .store(let path):
      guard let address = try? StoreAddress(path), let exists = try? address.exists, exists else { return nil }
      let text = try? address.modelText()
      return text.map { SourceText(name: path, bytes: Array($0.utf8)) }
    }
  }
}
