import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// The stores that a case is tried on.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case snapshot, sqlite

  var testDescription: String { rawValue }

  var source: ContextSource.Kind {
    switch self {
    case .snapshot: .snapshot
    case .sqlite: .sqlite
    }
  }

  func open(_ url: URL, _ model: ManagedObjectModel) throws -> any StoreBackend {
    switch self {
    case .snapshot: try SnapshotStore(at: url, model: model)
    case .sqlite: try SQLiteStore(at: url, model: model)
    }
  }
}

/// Heroes, powers and publishers in a store, or in a parent context.
struct StoredComics {
  let model: ManagedObjectModel
  let source: ContextSource

  init(_ kind: ContextSource.Kind, _ payload: String? = nil) throws {
    model = try ManagedObjectModel(
      text: "{\"keyStrategy\": \"sameName\", \"entities\": {\n\(Fixture.comics)\n}}", name: "m.json")
    source = try ContextSource(kind, model)
    if let payload { try context().load(payload, "Hero") }
  }

  /// A new context, with nothing in memory.
  func context() throws -> ManagedObjectContext { try source.context() }

  /// The graph as the store has it.
  var dump: String {
    get throws {
      let context = try context()
      let dump = String(decoding: context.dump(), as: UTF8.self)
      // What could not be loaded is thrown here.
      try context.commit()
      return dump
    }
  }

  static let heroes = """
    [{"id": 1, "name": "Heron", "powers": [{"id": 1, "name": "Flight"}, {"id": 2, "name": "Silence"}],
      "publisher": {"id": 9, "name": "Marsh"}},
     {"id": 2, "name": "Otter", "powers": [2], "publisher": 9},
     {"id": 3, "name": "Newt", "publisher": 8}]
    """
}
