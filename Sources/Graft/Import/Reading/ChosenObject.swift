/// An object that is about to be read, whose entity is known.
struct ChosenObject {
  var entity: Int
  /// Whether no mapper selected its entity (I7).
  var isUnanswered = true
  /// Whether the value of the mapper's key is a number or a boolean.
  var hasBareDiscriminator = false
  /// Whether the scanner is in text that a dictionary transformer returned.
  var isTransformed = false
  var identity: IdentityAhead?
  /// The dictionary, if hooks need it after its text is freed.
  var payload: JSON?

  init(_ entity: Int) { self.entity = entity }
}

/// Values that were read before their object, so that no closure is called twice (T3): all values of the identity, and then values of
/// alternate identities (M27) and of the modification attribute (M17), if they were needed.
struct IdentityAhead {
  var values: [(slot: Int, cell: Cell)]
}
