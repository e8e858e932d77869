import Foundation

final class TypedPower {
  let id: Int
  var name: String?
  var heroes: [TypedHero] = []

  init(id: Int) { self.id = id }
}

final class TypedPublisher {
  let id: Int
  var name: String?
  var heroes: [TypedHero] = []

  init(id: Int) { self.id = id }
}

final class TypedHero {
  let id: Int
  var name = ""
  var realName: String?
  var gender = ""
  var alignment = ""
  var appearances = 0
  var height = 0.0
  var createdAt = Date(timeIntervalSince1970: 0)
  var deck = ""
  private(set) var powers: [TypedPower] = []
  private(set) var publisher: TypedPublisher?

  init(id: Int) { self.id = id }

  /// Updates both sides of the relationship; does nothing if the value is unchanged.
  func setPowers(_ new: [TypedPower]) {
    if powers.isEmpty {
      for power in new { power.heroes.append(self) }
      powers = new
      return
    }
    if powers.elementsEqual(new, by: ===) { return }
    for power in powers where !new.contains(where: { $0 === power }) { power.heroes.removeIdentical(self) }
    for power in new where !powers.contains(where: { $0 === power }) { power.heroes.append(self) }
    powers = new
  }

  func setPublisher(_ new: TypedPublisher?) {
    if publisher === new { return }
    publisher?.heroes.removeIdentical(self)
    new?.heroes.append(self)
    publisher = new
  }

  func unlink() {
    powers = []
    publisher = nil
  }
}

extension Array where Element: AnyObject {
  /// Removes an element. The order of an inverse does not matter, so the last element fills the gap.
  mutating func removeIdentical(_ element: Element) {
    guard let index = firstIndex(where: { $0 === element }) else { return }
    swapAt(index, count - 1)
    removeLast()
  }
}
