import Foundation

/// The code that an experienced user would write without an engine: final classes, a dictionary by identifier for each,
/// hand-maintained inverse arrays, and `Codable` records between them and JSON.
protocol TypedGraph: AnyObject {
  init()
  /// Converts bytes to records (`JSONDecoder`), then to uniqued, linked objects.
  func merge(_ json: Data) throws
  /// Converts the result of `JSONSerialization` in the same way.
  func merge(_ dictionaries: [Any]) throws
  /// The number of objects of each entity.
  var counts: [String: Int] { get }
  /// Collects the top-level objects in payload order, for the export.
  func prepareExport()
  /// Converts objects to records, then to bytes (`JSONEncoder`).
  func export() throws -> Data
  /// Converts objects to dictionaries of the form that `JSONSerialization` writes.
  func exportDictionaries() -> [Any]
  /// Breaks the cycles between objects, so that they are freed.
  func dismantle()
}

extension Workload {
  var typedGraph: any TypedGraph.Type {
    switch self {
    case .heroes: NestedHeroGraph.self
    case .ids: ReferencedHeroGraph.self
    case .posts: PostGraph.self
    case .events: EventGraph.self
    }
  }
}

/// The coders, which are created once and reused.
enum TypedCoding {
  static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let date = FastDate.date(text) else { throw TypedGraphError.malformed("date \(text)") }
      return date
    }
    return decoder
  }()

  static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(FastDate.text(date))
    }
    return encoder
  }()
}

enum TypedGraphError: Error {
  case malformed(String)
}
