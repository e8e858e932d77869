import Foundation

/// What a good user writes by hand in place of an engine: final classes, a dictionary by identifier for each of them,
/// inverse arrays kept by hand, and `Codable` records between them and JSON.
protocol TypedGraph: AnyObject {
  init()
  /// Bytes to records (`JSONDecoder`) to uniqued, linked objects.
  func merge(_ json: Data) throws
  /// The same from what `JSONSerialization` gives.
  func merge(_ dictionaries: [Any]) throws
  /// Objects by entity.
  var counts: [String: Int] { get }
  /// The top-level objects in payload order, to be exported.
  func prepareExport()
  /// Objects to records to bytes (`JSONEncoder`).
  func export() throws -> Data
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

/// The coders, made once and used again.
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
