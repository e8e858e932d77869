import Foundation
import Graft

final class Event: ManagedObject {
  var name: String? { self["name"] }
  var topics: [Topic] { self["topics"] }
  var performances: RelatedObjects<Performance> { self["performances"] }
}

final class Performance: ManagedObject {
  var startsAt: Date? { self["startsAt"] }
  var event: Event? {
    get { self["event"] }
    set { self["event"] = newValue }
  }
  var venue: Venue? { self["venue"] }
  var prices: [Price] { self["prices"] }
}

final class Price: ManagedObject {
  var amount: Int? { self["amount"] }
  var seatCategory: SeatCategory? { self["seatCategory"] }
  var audienceSubCategory: AudienceSubCategory? { self["audienceSubCategory"] }
}

final class SeatCategory: ManagedObject {
  var name: String? { self["name"] }
}

final class AudienceSubCategory: ManagedObject {
  var name: String? { self["name"] }
}

final class Topic: ManagedObject {
  var identifier: Int? { self["identifier"] }
  var name: String? { self["name"] }
  var events: RelatedObjects<Event> { self["events"] }
}

final class Venue: ManagedObject {
  var name: String? { self["name"] }
  var performances: RelatedObjects<Performance> { self["performances"] }
}
