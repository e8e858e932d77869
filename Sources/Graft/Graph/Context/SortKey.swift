/// One of the properties by which objects are sorted.
///
///     context.fetch(Hero.self, sortedBy: [.ascending(\.publisher?.name), .descending("appearances", nils: .first)])
///
/// Sorting depends on no locale: text is compared by its Unicode scalars, so that `Z` comes before `a` and `é` behind both.
/// Objects that compare alike stay in the order of their insertion. To sort text as people in a country do, sort the fetched
/// array with Foundation's `localizedStandardCompare`.
public struct SortKey<Object: ManagedObject> {
  /// Where objects go whose value is nil.
  public enum NilPlacement: Sendable {
    /// Before all others, whatever the direction.
    case first
    /// Behind all others, whatever the direction.
    case last
  }

  /// What is compared: a property of the class, read through the object, or a path of names, read from the rows.
  enum Criterion {
    case closure((Object, Object) -> Order)
    case names([String])
  }

  /// How two objects compare.
  enum Order { case before, same, behind }

  let criterion: Criterion
  let isDescending: Bool
  let nils: NilPlacement

  // MARK: By typed property

  /// Small values first.
  public static func ascending<Value: Comparable>(
    _ property: @escaping (Object) -> Value?, nils: NilPlacement = .last
  ) -> SortKey {
    SortKey(property, isDescending: false, nils)
  }

  /// Large values first.
  public static func descending<Value: Comparable>(
    _ property: @escaping (Object) -> Value?, nils: NilPlacement = .last
  ) -> SortKey {
    SortKey(property, isDescending: true, nils)
  }

  private init<Value: Comparable>(_ property: @escaping (Object) -> Value?, isDescending: Bool, _ nils: NilPlacement) {
    self.isDescending = isDescending
    self.nils = nils
    let isLess = SortKey.isLess(Value.self)
    criterion = .closure { left, right in
      SortKey.order(property(left), property(right), isLess, isDescending, nils)
    }
  }

  /// Text is compared by its scalars, as it is where the property is given by name.
  private static func isLess<Value: Comparable>(_ type: Value.Type) -> (Value, Value) -> Bool {
    guard Value.self == String.self else { return { $0 < $1 } }
    return { left, right in
      guard let left = left as? String, let right = right as? String else { return left < right }
      return UTF8Key.precedes(left, right)
    }
  }

  // MARK: By name

  /// Small values first. The name of an attribute, or a path to one through to-one relationships: `publisher.name`. Values
  /// are compared as they are stored; the fastest way to sort.
  ///
  /// - Precondition: the entity has such an attribute, of a type that has an order: all but `json`.
  public static func ascending(_ name: String, nils: NilPlacement = .last) -> SortKey {
    SortKey(criterion: .names(names(name)), isDescending: false, nils: nils)
  }

  /// Large values first. The name of an attribute, or a path to one through to-one relationships: `publisher.name`.
  ///
  /// - Precondition: the entity has such an attribute, of a type that has an order: all but `json`.
  public static func descending(_ name: String, nils: NilPlacement = .last) -> SortKey {
    SortKey(criterion: .names(names(name)), isDescending: true, nils: nils)
  }

  /// By bytes: a combining mark joins the dot before it.
  private static func names(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: ".")).map { String(decoding: $0, as: UTF8.self) }
  }

  private init(criterion: Criterion, isDescending: Bool, nils: NilPlacement) {
    self.criterion = criterion
    self.isDescending = isDescending
    self.nils = nils
  }

  // MARK: Comparing

  static func order<Value>(
    _ left: Value?, _ right: Value?, _ isLess: (Value, Value) -> Bool, _ isDescending: Bool, _ nils: NilPlacement
  ) -> Order {
    switch (left, right) {
    case (nil, nil): .same
    case (nil, _): nils == .first ? .before : .behind
    case (_, nil): nils == .first ? .behind : .before
    case (let left?, let right?):
      if isLess(left, right) {
        isDescending ? .behind : .before
      } else if isLess(right, left) {
        isDescending ? .before : .behind
      } else {
        .same
      }
    }
  }
}
