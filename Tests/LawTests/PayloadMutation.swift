import Graft
import GraftTestSupport

/// A payload with a random mistake, such as those that services send and people type.
enum PayloadMutation {
  /// Values that take the place of other values.
  private static let values: [JSON] = [
    nil, true, false, 0, 1, -1, 1.5, 70000, 1_550_102_400_000, "", " ", "x", "7", "007", "-0", "1,2", "True", "yes",
    "0",
    "2019-02-03", "2019-02-03T04:05:06Z", "2019-02-30T00:00:00Z", "03.02.2019", "https://example.org/planets/5/",
    "00000000-0000-0000-0000-000000000001", [], [nil], ["a"], [1], [[1]], [1, "a"], [1, 2, 3], [:], ["x": 1], ["id": 3],
    ["id": nil], ["0": "a"], ["kind": "unicorn"],
  ]

  /// Changes a payload in one to three places.
  static func mutate(_ payload: JSON, _ random: inout SeededRandom) -> JSON {
    var payload = payload
    for _ in 0..<random.pick([1, 1, 1, 2, 3]) {
      let place = random.below(RandomPayload.placeCount(payload))
      payload = change(place, in: payload, &random)
    }
    return payload
  }

  private static func change(_ place: Int, in payload: JSON, _ random: inout SeededRandom) -> JSON {
    let value = value(at: place, in: payload)
    switch (random.below(8), value) {
    case (0, .object(let object)) where !object.isEmpty:
      var members = object.members
      members.remove(at: random.below(members.count))
      return RandomPayload.replacing(place, in: payload, by: .object(JSONObject(members)))
    case (1, .object(let object)) where !object.isEmpty:
      var members = object.members
      members[random.below(members.count)].value = random.pick(values)
      return RandomPayload.replacing(place, in: payload, by: .object(JSONObject(members)))
    case (2, .object(let object)) where !object.isEmpty:
      var members = object.members
      members[random.below(members.count)].key += "s"
      return RandomPayload.replacing(place, in: payload, by: .object(JSONObject(uncheckedMembers: members)))
    case (3, .array(let elements)) where !elements.isEmpty:
      return RandomPayload.replacing(place, in: payload, by: random.pick(elements))
    case (4, _): return RandomPayload.replacing(place, in: payload, by: [value])
    case (5, _):
      let other = random.below(RandomPayload.placeCount(payload))
      return RandomPayload.replacing(place, in: payload, by: self.value(at: other, in: payload))
    default: return RandomPayload.replacing(place, in: payload, by: random.pick(values))
    }
  }

  private static func value(at place: Int, in payload: JSON) -> JSON {
    var (found, count) = (payload, -1)
    _ = RandomPayload.rewrite(payload) { value in
      count += 1
      if count == place { found = value }
      return value
    }
    return found
  }
}
