/// Sort keys as arrays of one key each, so they need no brackets: `sortedBy: .ascending(\.team), .descending(\.age)`.
extension Array {
  /// This method is not available, because `ascending(_:)` and `descending(_:)` determine the order.
  @available(
    *, unavailable,
    message: "write '.descending' instead of '.ascending', or vice versa; this would reverse the list of keys"
  )
  public func reversed<Object>() -> [SortKey<Object>] where Element == SortKey<Object> { self }

  /// Sorts by a single property, smallest values first.
  public static func ascending<Object, Value: Comparable>(
    _ property: @escaping (Object) -> Value?, nils: SortKey<Object>.NilPlacement = .last
  ) -> [SortKey<Object>] where Element == SortKey<Object> {
    [.ascending(property, nils: nils)]
  }

  /// Sorts by a single property, largest values first.
  public static func descending<Object, Value: Comparable>(
    _ property: @escaping (Object) -> Value?, nils: SortKey<Object>.NilPlacement = .last
  ) -> [SortKey<Object>] where Element == SortKey<Object> {
    [.descending(property, nils: nils)]
  }

  /// Sorts by a single property, smallest values first.
  public static func ascending<Object, Value: Comparable>(
    _ property: KeyPath<Object, Value?>, nils: SortKey<Object>.NilPlacement = .last
  ) -> [SortKey<Object>] where Element == SortKey<Object> {
    [.ascending(property, nils: nils)]
  }

  /// Sorts by a single property, smallest values first.
  public static func ascending<Object, Value: Comparable>(
    _ property: KeyPath<Object, Value>, nils: SortKey<Object>.NilPlacement = .last
  ) -> [SortKey<Object>] where Element == SortKey<Object> {
    [.ascending(property, nils: nils)]
  }

  /// Sorts by a single property, largest values first.
  public static func descending<Object, Value: Comparable>(
    _ property: KeyPath<Object, Value?>, nils: SortKey<Object>.NilPlacement = .last
  ) -> [SortKey<Object>] where Element == SortKey<Object> {
    [.descending(property, nils: nils)]
  }

  /// Sorts by a single property, largest values first.
  public static func descending<Object, Value: Comparable>(
    _ property: KeyPath<Object, Value>, nils: SortKey<Object>.NilPlacement = .last
  ) -> [SortKey<Object>] where Element == SortKey<Object> {
    [.descending(property, nils: nils)]
  }

  /// Sorts by a single attribute, identified by name or path, smallest values first.
  public static func ascending<Object>(
    _ name: String, nils: SortKey<Object>.NilPlacement = .last
  ) -> [SortKey<Object>] where Element == SortKey<Object> {
    [.ascending(name, nils: nils)]
  }

  /// Sorts by a single attribute, identified by name or path, largest values first.
  public static func descending<Object>(
    _ name: String, nils: SortKey<Object>.NilPlacement = .last
  ) -> [SortKey<Object>] where Element == SortKey<Object> {
    [.descending(name, nils: nils)]
  }
}
