import Graft
import GraftTools

/// One note about a conversion: a choice, or something without a counterpart. The extension below contains the wording.
struct ConversionNote {
  /// Whether the note reports a choice, or a loss or change.
  enum Weight { case note, warning }

  let weight: Weight
  let message: String
  var place: SourcePlace?

  private init(_ weight: Weight, _ message: String, _ place: SourcePlace? = nil) {
    self.weight = weight
    self.message = message
    self.place = place
  }

  /// The note as a line.
  var text: String {
    switch weight {
    case .note: Diagnostic.Note(message, at: place?.location).description
    case .warning: Diagnostic(.warning, code: .conversion, message, at: place?.location).description
    }
  }
}

// MARK: The file and the model

extension ConversionNote {
  static func currentVersion(_ name: String, of count: Int) -> Self {
    Self(.note, "'\(name)' is converted, the current one of \(count) versions")
  }

  static func lastVersion(_ name: String, of count: Int) -> Self {
    Self(
      .note, "'\(name)' is converted, the last of \(count) versions: '.xccurrentversion' names none of them")
  }

  static func missingVersion(_ name: String, taken: String) -> Self {
    Self(.warning, "'.xccurrentversion' names '\(name)', which does not exist; '\(taken)' is converted instead")
  }

  /// - Parameter strategy: the model file's key strategy, for properties without annotations.
  static func convention(_ convention: AnnotationConvention, _ strategy: String, _ place: SourcePlace) -> Self {
    let adding =
      convention == .magicalRecord ? "; the objects of an array are added to a to-many relationship, \"union\"" : ""
    return Self(
      .note,
      "the annotations are \(convention.ownerName)'s, which looks for every property: \"keyStrategy\" is \"\(strategy)\""
        + adding, place)
  }

  static func noEntities(_ place: SourcePlace) -> Self { Self(.warning, "the model has no entities", place) }

  static func otherConvention(_ other: AnnotationConvention, _ convention: AnnotationConvention, _ place: SourcePlace)
    -> Self
  {
    Self(
      .warning,
      "there are also annotations of \(other.ownerName); the annotations of \(convention.ownerName) are used, and the others are kept as "
        + "user info", place)
  }

  /// A model without annotations for JSON.
  static func noAnnotations(_ place: SourcePlace) -> Self {
    Self(
      .note,
      "no property has a key path, so none is part of JSON; '--key-strategy sameName' or 'snakeCase' "
        + "maps each to its own name", place)
  }

  /// MagicalRecord and Sync convert between text and numbers automatically.
  static func looseTypes(_ convention: AnnotationConvention, _ place: SourcePlace) -> Self {
    Self(
      .note,
      "\(convention.ownerName) reads numbers in strings, and dates in several forms; here this requires a transformer: "
        + "StringToInteger, UnixTime, DateFormat(yyyy-MM-dd)", place)
  }
}

// MARK: Omissions

extension ConversionNote {
  /// - Parameter counts: the number of occurrences of each kind.
  static func storage(_ counts: [(noun: String, count: Int)], _ place: SourcePlace) -> Self {
    let list = counts.map { counted($0.count, $0.noun) }.joined(separator: ", ")
    return Self(.note, "only stores need this, so it is left out: \(list)", place)
  }

  static func unknownAttribute(_ name: String, of element: String, _ count: Int, _ place: SourcePlace) -> Self {
    Self(.warning, "'\(name)' of <\(element)> is unknown and left out\(times(count))", place)
  }

  static func unknownElement(_ name: String, in parent: String, _ count: Int, _ place: SourcePlace) -> Self {
    Self(.warning, "<\(name)> in <\(parent)> is unknown and left out\(times(count))", place)
  }

  private static func times(_ count: Int) -> String { count > 1 ? ", \(count) times" : "" }

  static func noIndex(_ name: String, of entity: String, _ reason: String, _ place: SourcePlace) -> Self {
    Self(.note, "the index '\(name)' of entity '\(entity)' is left out: \(reason)", place)
  }

  /// - Parameter extras: what the index loses.
  static func plainIndex(_ name: String, of entity: String, _ extras: [String], _ place: SourcePlace) -> Self {
    Self(
      .note,
      "the index '\(name)' of entity '\(entity)' becomes an index of all its objects, in ascending order: "
        + extras.joined(separator: " and ") + (extras.count == 1 ? " is" : " are") + " left out", place)
  }

  static func fetchedProperty(_ name: String, _ place: SourcePlace) -> Self {
    Self(.warning, "the fetched property '\(name)' is left out: use a computed property that calls 'fetch'", place)
  }

  static func fetchRequest(_ name: String, _ place: SourcePlace) -> Self {
    Self(.warning, "the fetch request '\(name)' is left out: use a function that calls 'fetch'", place)
  }

  static func computed(_ name: String, _ expression: String?, _ place: SourcePlace) -> Self {
    let kind = expression.map { "derived from '\($0)'" } ?? "transient"
    return Self(.warning, "'\(name)' is left out, because it is \(kind): use a computed property", place)
  }

  static func objectID(_ name: String, _ place: SourcePlace) -> Self {
    Self(.warning, "'\(name)' is left out: Core Data's object IDs have no meaning here", place)
  }

  static func noDestination(_ name: String, _ place: SourcePlace) -> Self {
    Self(.warning, "relationship '\(name)' is left out: it has no destination", place)
  }

  static func noName(_ element: String, _ place: SourcePlace) -> Self {
    Self(.warning, "this <\(element)> is left out: it has no name", place)
  }

  static func badClass(_ className: String, of entity: String, _ place: SourcePlace) -> Self {
    Self(
      .warning, "the class '\(className)' of entity '\(entity)' is left out: it is not a valid Swift type name", place)
  }

  static func sharedClass(_ className: String, of entity: String, _ place: SourcePlace) -> Self {
    Self(
      .warning,
      "the class '\(className)' of entity '\(entity)' is left out: another entity has it, and each entity needs its own class",
      place)
  }

  static func dateBounds(_ name: String, _ place: SourcePlace) -> Self {
    Self(.warning, "the earliest and latest dates of '\(name)' are left out: only numbers have bounds", place)
  }

  static func optionalMinCount(_ count: Int, of name: String, _ place: SourcePlace) -> Self {
    Self(
      .warning,
      "the minimum count of '\(name)', \(count), is left out: in Core Data, an optional relationship may still be "
        + "empty", place)
  }

  static func unreadable(_ what: String, _ text: String, of name: String, _ expected: String, _ place: SourcePlace)
    -> Self
  {
    Self(.warning, "the \(what) of '\(name)' is left out: expected \(expected), found '\(text)'", place)
  }

  static func identityDefaults(_ names: [String], _ place: SourcePlace) -> Self {
    let list = names.prefix(3).listed() + (names.count > 3 ? " and \(names.count - 3) more" : "")
    return Self(.note, "the default of \(list) is left out: identities never come from defaults", place)
  }
}

// MARK: Replacements

extension ConversionNote {
  static func transformable(_ name: String, _ className: String?, _ place: SourcePlace) -> Self {
    let kind = className.map { "transformable (\($0))" } ?? "transformable"
    return Self(.note, "'\(name)' is \(kind): type 'json' keeps any JSON value as it is", place)
  }

  static func composite(_ name: String, _ place: SourcePlace) -> Self {
    Self(.note, "'\(name)' is composite: type 'json' keeps the object as it is", place)
  }

  static func archived(_ name: String, _ place: SourcePlace) -> Self {
    Self(
      .note,
      "'\(name)' is binary, the type in which Sync archives arrays and objects: type 'json' keeps them as they are",
      place
    )
  }

  static func unknownType(_ name: String, _ type: String, _ place: SourcePlace) -> Self {
    Self(
      .warning, "the type '\(type)' of '\(name)' has no counterpart: type 'json' keeps any JSON value as it is", place)
  }

  static func computedAndMapped(_ name: String, _ place: SourcePlace) -> Self {
    Self(.note, "'\(name)' is computed in Core Data; with its annotation it becomes an ordinary attribute", place)
  }

  static func unusableKeyPath(_ path: String, of name: String, _ place: SourcePlace) -> Self {
    let reason = path.contains("@") ? "operators of key-value coding have no counterpart" : "it has an empty key"
    return Self(.warning, "the key path '\(path)' of '\(name)' is not used: \(reason)", place)
  }

  static func notUsed(_ key: String, of name: String, _ reason: String, _ place: SourcePlace) -> Self {
    Self(.warning, "'\(key)' of '\(name)' is kept as user info: \(reason)", place)
  }

  static func identity(_ names: [String], of entity: String, from origin: String, _ place: SourcePlace) -> Self {
    Self(.note, "entity '\(entity)' is identified by \(names.listed()), \(origin)", place)
  }

  static func noIdentity(_ names: [String], of entity: String, _ reason: String, _ place: SourcePlace) -> Self {
    Self(
      .warning,
      "the uniqueness constraint of entity '\(entity)', \(names.listed()), does not become its identity: \(reason)",
      place)
  }
}
