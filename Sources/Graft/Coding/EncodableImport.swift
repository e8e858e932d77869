#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Imports the JSON of any encodable value, and returns the object that it describes or identifies ([C4](doc:Rules#C4)).
///
///     struct NewHero: Encodable {
///       var id = "102"
///       var name = "Ember"
///     }
///     let ember: Hero = try object(fromEncodable: NewHero(), in: context)
///
/// Dates are encoded as RFC 3339 text. If the model expects another form, pass an encoder that writes it.
///
/// - Throws: an ``ImportError`` with everything that is wrong, or an `EncodingError`. The context is then unchanged
///   ([I10](doc:Rules#I10)).
@discardableResult
public func object<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromEncodable value: some Encodable, in context: ManagedObjectContext,
  options: ImportOptions = ImportOptions(), using encoder: JSONEncoder? = nil
) throws -> Object {
  let rows = try context.importEncoded(value, Object.entityName, isSingle: true, options, encoder)
  guard let row = rows.first else {
    throw ImportFinding.encodedNull(Object.entityName).error()
  }
  return context.object(context.table(of: Object.entityName), row, as: type)
}

/// Imports the JSON of encodable values, and returns their objects in order ([C4](doc:Rules#C4)).
///
///     try objects(Hero.self, fromEncodable: [ember, frost], in: context)
///
/// - Throws: an ``ImportError`` with everything that is wrong, or an `EncodingError`. The context is then unchanged
///   ([I10](doc:Rules#I10)).
@discardableResult
public func objects<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromEncodable values: some Encodable, in context: ManagedObjectContext,
  options: ImportOptions = ImportOptions(), using encoder: JSONEncoder? = nil
) throws -> [Object] {
  let table = context.table(of: Object.entityName)
  return try context.importEncoded(values, Object.entityName, isSingle: false, options, encoder)
    .map { context.object(table, $0, as: type) }
}

extension ManagedObjectContext {
  fileprivate func table(of entityName: String) -> Int {
    model.plan.layouts[entityPlan(entityName).index].table
  }

  fileprivate func importEncoded(
    _ value: some Encodable, _ entityName: String, isSingle: Bool, _ options: ImportOptions, _ encoder: JSONEncoder?
  ) throws -> [UInt32] {
    let entity = try importedEntity(entityName)
    let data = try (encoder ?? .ofPayloads).encode(value)
    // Encoders write members in an order that differs from run to run. Imports read dictionaries in model order instead (I7).
    let value = try LentBytes.with(data) { bytes in
      try JSONBuilder.whole(bytes, maxDepth: JSONBuilder.deepest, FoundationTree.self)
    }
    var keys: ConvertedKeys?
    if case .convertToSnakeCase? = encoder?.keyEncodingStrategy { keys = ConvertedKeys(.toSnakeCase) }
    let part = PlannedPart(entity: entity.index)
    let text = try DictionaryPayload.text(of: value, part, model.plan, options, convertedKeys: keys)
    let written = PayloadSource.Written(faults: text.faults) { [plan = model.plan, keys] in
      DictionaryPayload.wholeText(of: value, part, plan, convertedKeys: keys)
    }
    return try LentBytes.with(text.bytes) { bytes throws(ImportError) in
      try ImportRun(context: self, isSingle: isSingle)
        .rows(PayloadSource(bytes, options, written: written), [part])
    }
  }
}

extension JSONEncoder {
  /// An encoder that writes dates in the form that imports read.
  fileprivate static var ofPayloads: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      // If a date has no text form, the import refuses it.
      try container.encode(AttributeValue.date(date).description)
    }
    return encoder
  }
}
