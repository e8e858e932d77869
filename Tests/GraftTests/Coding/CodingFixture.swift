import Foundation
import Graft
import GraftTestSupport

// Classes and models shared by the tests of the Codable bridge.

/// The Codable classes for heroes, powers and publishers.
enum Coded {
  class Hero: ManagedObject, Decodable {
    var id: Int? { self["id"] }
    var name: String? {
      get { self["name"] }
      set { self["name"] = newValue }
    }
    var powers: [Power] { self["powers"] }
    var publisher: Publisher? { self["publisher"] }
  }

  final class Power: ManagedObject, Decodable {
    var name: String? { self["name"] }
    var heroes: Set<Hero> { self["heroes"] }
  }

  final class Publisher: ManagedObject, Decodable {
    var name: String? { self["name"] }
  }
}

extension Fixture {
  /// A model with heroes, powers and publishers, and their classes.
  static func heroes() throws -> ManagedObjectContext {
    try Fixture.context(comics, classes: [Coded.Hero.self, Coded.Power.self, Coded.Publisher.self])
  }
}

extension JSONDecoder {
  /// A JSON decoder whose `userInfo` contains the context.
  convenience init(_ context: ManagedObjectContext) {
    self.init()
    userInfo[.managedObjectContext] = context
  }
}

/// The coding path and message of the error that a decoding throws, or "nothing" if it throws none.
func complaint(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "nothing"
  } catch let error as DecodingError {
    let context: DecodingError.Context
    switch error {
    case .dataCorrupted(let inner): context = inner
    case .keyNotFound(_, let inner), .typeMismatch(_, let inner), .valueNotFound(_, let inner): context = inner
    @unknown default: return "\(error)"
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return "[\(path)] \(context.debugDescription)"
  } catch let error as EncodingError {
    guard case .invalidValue(_, let context) = error else { return "\(error)" }
    return "[\(context.codingPath.map(\.stringValue).joined(separator: "."))] \(context.debugDescription)"
  } catch {
    return "\(error)"
  }
}
