/// What an export looks up about key paths, once for each entity.
struct PathFacts {
  var groups = GroupSlots()
  var references = ReferenceKeys()
}
