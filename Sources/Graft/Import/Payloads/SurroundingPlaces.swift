/// The locations of values that objects read from their surroundings (M19), for errors that are found only at the end. The bytes of an
/// object do not show which other object encloses it.
struct SurroundingPlaces {
  private struct Note {
    var object: Int
    var slot: Int
    var place: Int
  }

  private struct Key: Hashable {
    var object: Int
    var slot: Int
  }

  private var notes: [Note] = []
  /// Computed when the first location is requested.
  private var places: [Key: Int]?

  /// Notes the location where an object read the value of a slot.
  mutating func note(_ place: Int, of slot: Int, ofObjectAt object: Int) {
    notes.append(Note(object: object, slot: slot, place: place))
    places = nil
  }

  /// Returns the location of the value, or nil if the object did not read it.
  mutating func place(of slot: Int, ofObjectAt object: Int) -> Int? {
    if notes.isEmpty { return nil }
    if places == nil {
      places = Dictionary(
        notes.map { (Key(object: $0.object, slot: $0.slot), $0.place) }, uniquingKeysWith: { _, last in last })
    }
    return places?[Key(object: object, slot: slot)]
  }
}
