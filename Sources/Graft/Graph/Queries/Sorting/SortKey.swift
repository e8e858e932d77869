/// A property to sort objects by.
///
///     try context.fetch(Hero.self, sortedBy: .ascending(\.publisher?.name), .descending("appearances", nils: .first))
///
/// Sorting does not depend on the locale: text is compared by its Unicode scalars, so `Z` comes before `a`, and `é` after both.
/// Objects that compare equal keep their insertion order. For the order that users expect in their language, sort the fetched
/// array with Foundation's `localizedStandardCompare`.
public struct SortKey<Object: ManagedObject> {
  /// The position of objects whose value is nil.
  public enum NilPlacement: Sendable {
    /// Before all other objects, regardless of the direction.
    case first
    /// After all other objects, regardless of the direction.
    case last
  }

  /// The values to compare. They are either a property of the class, read through the object, or a path of names, read from the rows.
  enum Criterion {
    case closure((Object, Object) -> SortOrder)
    case names([String])
    /// A property of the class, which is read from the rows if the class lists it as queryable.
    case keyPath(AnyKeyPath, (Object, Object) -> SortOrder)
  }

  let criterion: Criterion
  let isDescending: Bool
  let nils: NilPlacement

  // MARK: By typed property

  /// Sorts by a property, smallest values first.
  public static func ascending<Value: Comparable>(
    _ property: @escaping (Object) -> Value?, nils: NilPlacement = .last
  ) -> SortKey {
    SortKey(property, isDescending: false, nils)
  }

  /// Sorts by a property, largest values first.
  public static func descending<Value: Comparable>(
    _ property: @escaping (Object) -> Value?, nils: NilPlacement = .last
  ) -> SortKey {
    SortKey(property, isDescending: true, nils)
  }

  /// Sorts by a property, smallest values first. If the class lists it among its ``ManagedObject/queryableProperties``, a store
  /// can sort by it.
  public static func ascending<Value: Comparable>(
    _ property: KeyPath<Object, Value?>, nils: NilPlacement = .last
  ) -> SortKey {
    SortKey({ $0[keyPath: property] }, isDescending: false, nils, keyPath: property)
  }

  /// Sorts by a property, smallest values first. If the class lists it among its ``ManagedObject/queryableProperties``, a store
  /// can sort by it.
  public static func ascending<Value: Comparable>(
    _ property: KeyPath<Object, Value>, nils: NilPlacement = .last
  ) -> SortKey {
    SortKey({ $0[keyPath: property] }, isDescending: false, nils, keyPath: property)
  }

  /// Sorts by a property, largest values first. If the class lists it among its ``ManagedObject/queryableProperties``, a store
  /// can sort by it.
  public static func descending<Value: Comparable>(
    _ property: KeyPath<Object, Value?>, nils: NilPlacement = .last
  ) -> SortKey {
    SortKey({ $0[keyPath: property] }, isDescending: true, nils, keyPath: property)
  }

  /// Sorts by a property, largest values first. If the class lists it among its ``ManagedObject/queryableProperties``, a store
  /// can sort by it.
  public static func descending<Value: Comparable>(
    _ property: KeyPath<Object, Value>, nils: NilPlacement = .last
  ) -> SortKey {
    SortKey({ $0[keyPath: property] }, isDescending: true, nils, keyPath: property)
  }

  /// Sorts by a property that is an attribute or an optional attribute, smallest values first.
  static func ascending<Value: QueryableValue>(
    attribute property: KeyPath<Object, Value>
  ) -> SortKey where Value.QueriedValue: Comparable {
    if let property = property as? KeyPath<Object, Value.QueriedValue> { return .ascending(property) }
    guard let property = property as? KeyPath<Object, Value.QueriedValue?> else {
      preconditionFailure("'\(Value.self)' is neither the type of an attribute nor an optional of one")
    }
    return .ascending(property)
  }

  private init<Value: Comparable>(
    _ property: @escaping (Object) -> Value?, isDescending: Bool, _ nils: NilPlacement, keyPath: AnyKeyPath? = nil
  ) {
    self.isDescending = isDescending
    self.nils = nils
    let isLess = SortKey.isLess(Value.self)
    let isNilFirst = nils == .first
    func compare(_ left: Object, _ right: Object) -> SortOrder {
      .comparing(
        left.readingMissingAsNil { property(left) }, right.readingMissingAsNil { property(right) }, isLess,
        isDescending: isDescending, isNilFirst: isNilFirst)
    }
    if let keyPath, PredicateConstant.hasStoredOrder(Value.self) {
      criterion = .keyPath(keyPath, compare)
    } else {
      criterion = .closure(compare)
    }
  }

  /// Compares text by its scalars, as for attributes identified by name.
  private static func isLess<Value: Comparable>(_ type: Value.Type) -> (Value, Value) -> Bool {
    guard Value.self == String.self else { return { $0 < $1 } }
    return { left, right in
      guard let left = left as? String, let right = right as? String else { return left < right }
      return UTF8Key.precedes(left, right)
    }
  }

  // MARK: By name

  /// Sorts by an attribute, smallest values first. The attribute is identified by name, or by a path through to-one relationships:
  /// `publisher.name`. Values are compared as they are stored. This is the fastest way to sort.
  ///
  /// If the entity has no such attribute, or its type has no order, such as `json`, the fetch throws a ``StoreError``.
  public static func ascending(_ name: String, nils: NilPlacement = .last) -> SortKey {
    SortKey(criterion: .names(names(name)), isDescending: false, nils: nils)
  }

  /// Sorts by an attribute, largest values first. The attribute is identified by name, or by a path through to-one relationships:
  /// `publisher.name`.
  ///
  /// If the entity has no such attribute, or its type has no order, such as `json`, the fetch throws a ``StoreError``.
  public static func descending(_ name: String, nils: NilPlacement = .last) -> SortKey {
    SortKey(criterion: .names(names(name)), isDescending: true, nils: nils)
  }

  /// Sorts by the attribute at the end of a path, whose names may contain dots.
  static func named(_ names: [String], isDescending: Bool) -> SortKey {
    SortKey(criterion: .names(names), isDescending: isDescending, nils: .last)
  }

  /// Splits by bytes, because a combining mark forms one character with a dot before it.
  private static func names(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: ".")).map { String(decoding: $0, as: UTF8.self) }
  }

  private init(criterion: Criterion, isDescending: Bool, nils: NilPlacement) {
    self.criterion = criterion
    self.isDescending = isDescending
    self.nils = nils
  }
}
