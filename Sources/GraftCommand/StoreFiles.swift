import Foundation
import Graft
import GraftTools

/// Opens the stores and models that commands name.
enum StoreFiles {
  /// Loads a model file.
  ///
  /// - Parameters:
  ///   - outcome: the message that explains what was not done because the model has errors.
  ///   - isOnlyStored: whether only the stored form of objects matters. The model may then name transformers and mappers that
  ///     only the user's program has.
  ///   - assumptions: the replacements of these transformers and mappers.
  static func model(
    _ path: String, _ reader: inout FileReader, _ streams: Streams, outcome: String, isQuiet: Bool = false,
    isOnlyStored: Bool = false, assumptions: Assumptions? = nil
  ) throws(Failure) -> ManagedObjectModel {
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    let assumed = try assumptions.flatMap { assumptions throws(Failure) in try assume(assumptions, in: source) }
    do throws(ModelError) {
      let model =
        if let assumed {
          try ManagedObjectModel(assumed.model, transformers: assumed.registry)
        } else {
          try ManagedObjectModel(source: source, unregisteredNames: isOnlyStored ? .warning : .error)
        }
      if !isQuiet { streams.say(model.warnings) }
      return model
    } catch {
      let diagnostics = assumptions == nil ? error.diagnostics : error.diagnostics.map { hinted($0, in: source) }
      throw .diagnostics(diagnostics) { "\($0) in the model; \(outcome)" }
    }
  }

  /// Adds advice to an error about a name that only the user's program registers: how to try the model without it.
  private static func hinted(_ diagnostic: Diagnostic, in source: SourceText) -> Diagnostic {
    let codes: [DiagnosticCode] = [.unknownTransformer, .unknownDictionaryTransformer, .unknownMapper]
    // A name with faulty arguments belongs to a transformer that exists.
    let isKnown = diagnostic.message.contains(" is malformed: ")
    guard codes.contains(diagnostic.code), !isKnown, let location = diagnostic.location else { return diagnostic }
    let bytes = source.bytes[location.offset...].prefix(4 * location.length)
    guard let end = bytes.dropFirst().firstIndex(of: UInt8(ascii: "\"")),
      let name = try? JSON(parsing: Array(bytes[...end])).stringValue
    else { return diagnostic }
    let standIn = diagnostic.code == .unknownTransformer ? "StringToInteger" : Assumptions.asIs
    let word = name.allSatisfy { $0.isLetter || $0.isNumber } ? name : "'\(name)'".escapedForDisplay()
    var hinted = diagnostic
    hinted.notes.append(
      Diagnostic.Note("if your program registers it, try the model with a replacement: --assume \(word)=\(standIn)"))
    return hinted
  }

  /// Returns the model with replacements, or nil if it has errors, which loading it reports.
  private static func assume(
    _ assumptions: Assumptions, in source: SourceText
  ) throws(Failure) -> (model: ModelDescription, registry: TransformerRegistry)? {
    guard !assumptions.isEmpty,
      let model = ModelFile.read(source, transformers: .standard, unregisteredNames: .warning).model
    else { return nil }
    return try assumptions.applied(to: model)
  }

  /// Returns the model that a store was last written with.
  static func model(
    ofStore address: StoreAddress, isOnlyStored: Bool = false, damage: ((String) -> String)? = nil
  ) throws(Failure) -> ManagedObjectModel {
    let text = try opening(damage: damage) { () throws(StoreError) in try address.modelText() }
    do throws(ModelError) {
      let source = SourceText(name: "\(address.shown)'s model", bytes: Array(text.utf8))
      return try ManagedObjectModel(source: source, unregisteredNames: isOnlyStored ? .warning : .error)
    } catch {
      throw .diagnostics(error.diagnostics) { "\($0) in the model of the store; give the model with '--model'" }
    }
  }

  /// Returns the message for a damaged store whose model is needed to copy the rest.
  static func unreadableModel(_ address: StoreAddress) -> (String) -> String {
    { errors in "\(errors) in '\(address.shown)', whose model cannot be read; give the model with '--model'" }
  }

  /// The changes that opening a store with another model may make.
  enum Migration {
    /// A command that changes nothing opens the store read-only.
    case nothing
    /// A command that reads leaves the tables unchanged, because programs with the former model continue to use the store.
    case noneOfTables
    /// A command that writes objects does not remove any existing objects, because its model may be the wrong one.
    case noRemovals
  }

  /// Opens a store, or creates it.
  ///
  /// - Parameters:
  ///   - modelPath: the model file, for messages.
  ///   - mustExist: whether a store that does not exist is an error.
  static func store(
    _ address: StoreAddress, _ model: ManagedObjectModel, from modelPath: String? = nil, mustExist: Bool = false,
    migration: Migration
  ) throws(Failure) -> any CommandStore {
    let exists = try address.exists
    if mustExist { try check(address, exists) }
    var isReadOnly = false
    if exists {
      let plan = try opening { () throws(StoreError) in try address.migrationPlan(to: model) }
      let changes =
        switch migration {
        case .nothing: plan.changes
        case .noneOfTables: plan.keepsTables ? [] : plan.changes
        case .noRemovals: plan.removals
        }
      if plan.isPossible, !changes.isEmpty { throw .migration(of: address, to: modelPath, changes) }
      // If the migration is impossible, opening the store for writing reports why.
      isReadOnly = migration == .nothing && plan.isPossible
    }
    return try opening { () throws(StoreError) in try address.open(model, isReadOnly: isReadOnly) }
  }

  /// Opens an existing store without changing it.
  static func storeToRead(
    _ address: StoreAddress, _ model: ManagedObjectModel, damage: ((String) -> String)? = nil
  ) throws(Failure) -> any CommandStore {
    try check(address, try address.exists)
    return try opening(damage: damage) { () throws(StoreError) in try address.open(model, isReadOnly: true) }
  }

  static func check(_ address: StoreAddress, _ exists: Bool) throws(Failure) {
    if exists { return }
    guard case .file(let path) = address else {
      throw Failure(
        status: .unusableFile, message: "the database '\(address.shown)' does not contain the tables of a store",
        code: .notAStore)
    }
    throw .file("read", path, "there is no such file")
  }

  static func context(_ model: ManagedObjectModel, _ store: any PersistentStore) throws(Failure) -> ManagedObjectContext
  {
    try opening { () throws(StoreError) in try ManagedObjectContext(model: model, store: store) }
  }

  /// Converts a store's error to a failure of the program.
  ///
  /// - Parameter damage: the message for a damaged store, if the command looks for damage.
  static func opening<Result>(
    damage: ((String) -> String)? = nil, _ body: () throws(StoreError) -> Result
  ) throws(Failure) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      guard let damage, error.diagnostics.contains(where: { $0.code == .damagedStore }) else { throw .store(error) }
      throw .diagnostics(error.diagnostics, so: damage)
    }
  }
}

extension Failure {
  /// Returns the error for a command that must not migrate a store.
  fileprivate static func migration(of address: StoreAddress, to modelPath: String?, _ changes: [String]) -> Failure {
    let most = 5
    let others = changes.count - most
    let listed = changes.prefix(most).joined(separator: ", ") + (others > 0 ? ", and \(others) more" : "")
    let model = modelPath.map { "'\(FilePath.shown($0))'" } ?? "the model"
    return Failure(
      status: .unusableFile,
      message:
        "\(model) is not the model of the store '\(address.shown)' and would change it: \(listed); if that is what you want, run 'graft store migrate' first",
      code: .incompatibleModel)
  }

  /// Returns a store's error: a single message, or a list.
  static func store(_ error: StoreError) -> Failure {
    // The store is sound, but its values do not fit the new model.
    let status: ExitStatus = error.diagnostics.contains { $0.code == .failedMigration } ? .failed : .unusableFile
    if error.diagnostics.count == 1, error.diagnostics[0].location == nil, error.diagnostics[0].notes.isEmpty {
      return Failure(status: status, message: error.diagnostics[0].message, code: error.diagnostics[0].code)
    }
    return Failure(status: status, message: "the store was not opened", diagnostics: error.diagnostics)
  }

  /// Returns the error from an export, or from the file to which it was written.
  static func export(_ error: ExportError) -> Failure {
    if let failure = error.underlyingError as? Failure { return failure }
    return .diagnostics(error.diagnostics) { "\($0); nothing was written" }
  }
}

extension FilePath {
  static func url(_ path: String) -> URL { URL(fileURLWithPath: path) }
}
