/// Imports the content of a decoder into its context, like any payload (C4).
struct DecoderImport {
  private let decoder: any Decoder
  private let context: ManagedObjectContext
  private let options: ImportOptions

  init(_ decoder: any Decoder) throws {
    self.decoder = decoder
    context = try decoder.managedObjectContext()
    options = decoder.userInfo[.managedObjectImportOptions] as? ImportOptions ?? ImportOptions()
  }

  /// Returns the one object that the decoder's content describes or identifies.
  func one<Object: ManagedObject>(_ type: Object.Type) throws -> Object {
    let entity = try entity(Object.entityName)
    guard let row = try rows(entity, isSingle: true).first else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "expected an object of '\(entity.name)', found null"))
    }
    return context.object(context.model.plan.layouts[entity.index].table, row, as: type)
  }

  /// Returns the objects that the decoder's content describes or identifies, in order.
  func all<Object: ManagedObject>(_ type: Object.Type) throws -> [Object] {
    let entity = try entity(Object.entityName)
    let table = context.model.plan.layouts[entity.index].table
    return try rows(entity, isSingle: false).map { context.object(table, $0, as: type) }
  }

  private func entity(_ name: String) throws -> EntityPlan {
    do throws(ImportError) {
      return try context.importedEntity(name)
    } catch {
      throw refused(error, error.description)
    }
  }

  private func rows(_ entity: EntityPlan, isSingle: Bool) throws -> [UInt32] {
    // The caller may decode several objects together, and is responsible for committing them.
    let run = ImportRun(context: context, isSingle: isSingle, isCommitted: false)
    let dictionaries = try dictionaries()
    // A decoder does not reveal its key strategy.
    let keys = ConvertedKeys(.fromSnakeCase, fields: context.caches.convertedFields)
    defer { context.caches.convertedFields = keys.fields }
    let part = PlannedPart(entity: entity.index)
    do throws(ImportError) {
      let text = try DictionaryPayload.text(of: dictionaries, part, context.model.plan, options, convertedKeys: keys)
      let written = PayloadSource.Written(faults: text.faults) { [plan = context.model.plan] in
        DictionaryPayload.wholeText(of: dictionaries, part, plan, convertedKeys: keys)
      }
      return try LentBytes.with(text.bytes) { bytes throws(ImportError) in
        let source = PayloadSource(
          bytes, options, written: written, path: JSONPathText.path(of: decoder.codingPath))
        var recorder: ImportRecorder?
        return try run.unit(source, [part], &recorder)
      }
    } catch {
      var words = error.description
      if isSingle, error.diagnostics.contains(where: { $0.code == .unresolvedIdentifier }) {
        words +=
          "\nnote: an object that is decoded alone cannot refer to objects that follow it: decode 'ManagedObjectsUpsert<\(entity.name)>'"
      }
      throw refused(error, words)
    }
  }

  /// Returns the content of the decoder. The context remembers which kind of value each key had, because consecutive objects are
  /// often similar.
  private func dictionaries() throws -> Any {
    var reader = DecoderReader<DecodedDictionaries>(expecting: context.caches.decodedKinds)
    context.caches.decodedKinds = [:]
    defer { if reader.kinds.count < 4_096 { context.caches.decodedKinds = reader.kinds } }
    return try reader.read(decoder)
  }

  private func refused(_ error: ImportError, _ words: String) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: words, underlyingError: error))
  }
}

extension DecodingError {
  /// The error with every diagnostic, if a managed object could not be decoded; nil for other errors.
  ///
  ///     } catch let error as DecodingError {
  ///       print(error.importError.map { DiagnosticRenderer().render($0.diagnostics) } ?? "\(error)")
  ///     }
  public var importError: ImportError? {
    switch self {
    case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      context.underlyingError as? ImportError
    @unknown default: nil
    }
  }
}

extension JSONPathText {
  /// Returns the JSON path of a coding path (D7): `$.heroes[3]`.
  fileprivate static func path(of keys: [any CodingKey]) -> String {
    keys.reduce("$") { path, key in
      // Foundation names the keys of elements after their index. The key of a member can also be a number.
      if let index = key.intValue, key.stringValue == "Index \(index)" { return path + element(index) }
      return path + member(key.stringValue)
    }
  }
}
