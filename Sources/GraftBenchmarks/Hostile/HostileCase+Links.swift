extension HostileCase {
  /// 100,000 owners of one inverse, all of which then move to another.
  static func ownersOfOne() -> HostileCase {
    let input = { (groups: Int) in
      Input(
        payloads: [1000, 5000].map { firstGroup in
          Input.array(100_000) { index, text in
            text.raw(#"{"id":\#(1_000_000 + index),"group":\#(firstGroup + index % groups)}"#)
          }
        }, objects: 100_000)
    }
    return HostileCase(
      name: "100,000 owners of one inverse, moved", entity: "Owner", hostile: input(1), benign: input(1000))
  }

  /// An ordered relationship of 100,000 objects, which the second payload reverses.
  static func membersReversed() -> HostileCase {
    let input = { (teams: Int) in
      let members = 100_000 / teams
      return Input(
        payloads: [false, true].map { isReversed in
          Input.array(teams) { team, text in
            text.raw(#"{"id":\#(1000 + team),"members":["#)
            for index in 0..<members {
              if index > 0 { text.raw("," as StaticString) }
              text.integer(1_000_000 + team * members + (isReversed ? members - 1 - index : index))
            }
            text.raw("]}" as StaticString)
          }
        }, objects: teams)
    }
    return HostileCase(
      name: "100,000 members of one, reversed", entity: "Team", hostile: input(1), benign: input(1000))
  }

  /// Objects nested 400 deep.
  static func deepObjects() -> HostileCase {
    let depth = 400
    let chains = 400
    return HostileCase(
      name: "objects 400 deep", entity: "Link",
      hostile: Input(chains, objects: chains * depth) { chain, text in
        for index in 0..<depth {
          text.raw(#"{"id":\#(1_000_000 + chain * depth + index),"child":"#)
        }
        text.raw("null" as StaticString)
        text.raw(String(repeating: "}", count: depth))
      },
      benign: Input(chains * depth) { index, text in
        text.raw(#"{"id":\#(1_000_000 + index),"child":null}"#)
      })
  }
}
