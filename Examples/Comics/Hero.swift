import Foundation
import Graft

/// One class per entity, one Swift property per property. The type of the Swift property determines how its value is read.
/// Nothing is stored here: a managed object reads from the graph.
///
/// Properties are optional even if the model requires them, because a placeholder has only its identity.
final class Hero: ManagedObject {
  var identifier: Int? { self["identifier"] }
  var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }
  var realName: String? {
    get { self["realName"] }
    set { self["realName"] = newValue }
  }
  var gender: Gender? { self["gender"] }
  var firstAppearance: Date? { self["firstAppearance"] }
  var height: Double? { self["height"] }

  var powers: RelatedObjects<Power> { self["powers"] }
  var publisher: Publisher? {
    get { self["publisher"] }
    set { self["publisher"] = newValue }
  }
  var mentor: Hero? {
    get { self["mentor"] }
    set { self["mentor"] = newValue }
  }
  var sidekicks: RelatedObjects<Hero> { self["sidekicks"] }
}

/// An attribute can be read as an enum if the model lists its values.
enum Gender: String, AttributeConvertible {
  case female, male, nonbinary, unknown
}

final class Power: ManagedObject {
  var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }
  var heroes: RelatedObjects<Hero> { self["heroes"] }
}

final class Publisher: ManagedObject {
  var name: String? { self["name"] }
  var foundedIn: Int? { self["foundedIn"] }
  var website: URL? { self["website"] }
  var heroes: RelatedObjects<Hero> { self["heroes"] }
}
