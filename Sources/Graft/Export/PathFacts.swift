/// The facts about key paths that an export looks up once for each entity.
struct PathFacts {
  var groups = GroupSlots()
  var references = ReferenceKeys()
}
