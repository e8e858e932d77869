#if canImport(Observation)
  public import Observation
#endif

/// A list of objects that stays current: whenever it is read, it contains the objects that a fetch would return.
///
///     let heroes = try context.results(Hero.self, where: #Predicate { $0.publisher?.name == dc }, sortedBy: \.name)
///     print(heroes.count, heroes[0].name ?? "")
///     for await changes in heroes.updates() { ids = ids.applying(changes) }
///
/// The list follows edits, imports, commits, merges, rollbacks, ``ManagedObjectContext/reset()`` and ``ManagedObjectContext/restore(_:)``.
/// It tests only objects that changed, and objects whose condition or order reads an object that changed. If all relationships in the
/// condition and the order have inverses, this takes time in proportion to the change and the logarithm of the list's length, and in a list
/// with sections also in proportion to the number of sections. Otherwise, the list is read again. Objects that compare equal are in the
/// order of insertion, as in a fetch.
///
/// In a context with a store, the list holds the numbers of its objects, and loads an object when it is read. Its count and its sections
/// are available without loading objects. With a limit or an offset, it holds only the page that it shows, which is read again when it may
/// have changed. A list does not merge changes from other contexts or processes; call ``ManagedObjectContext/merge()``, or set
/// ``ManagedObjectContext/mergesChanges`` and fetch. While a list exists, its context does not evict objects.
///
/// Like its context, a list belongs to one isolation. Views that read it are updated when it changes. They are notified of uncommitted
/// edits only if the context is ``ManagedObjectContext/isObservable``.
public final class LiveResults<Object: ManagedObject> {
  private let list: ResultList
  #if canImport(Observation)
    private let registrar = ObservationRegistrar()
  #endif

  init(_ list: ResultList) {
    self.list = list
    list.onChange { [weak self] _ in self?.noteChange() }
  }

  private func noteChange() {
    #if canImport(Observation)
      registrar.willSet(self, keyPath: \.endIndex)
      registrar.didSet(self, keyPath: \.endIndex)
    #endif
  }

  /// The list, brought up to date.
  private var current: ResultList {
    #if canImport(Observation)
      registrar.access(self, keyPath: \.endIndex)
    #endif
    list.refresh()
    return list
  }

  // MARK: Contents

  /// The context of the objects.
  public var context: ManagedObjectContext { list.context }

  /// The IDs of the objects, in order. This loads the objects.
  public var objectIDs: [ManagedObjectID] { current.ids }

  /// The sections of the list, in order; empty if it was created without `sectionedBy`.
  public var sections: [Section] {
    guard let sections = current.shown.sections else { return [] }
    var start = 0
    return zip(sections.values, sections.counts).map { value, count in
      defer { start += count }
      return Section(value: value, positions: start..<start + count)
    }
  }

  /// The objects of a list that have the same value of the `sectionedBy` attribute.
  public struct Section {
    /// The value; nil if the objects have none.
    public let value: AttributeValue?
    /// The positions of the objects in the list: `list[section.positions]` contains the objects.
    public let positions: Range<Int>

    /// The number of objects.
    public var count: Int { positions.count }
  }

  /// The reason why the list could not be brought up to date, such as an integer overflow in its condition; nil if it is current. Until an
  /// attempt succeeds, the list does not change.
  public var error: StoreError? { current.failure }

  // MARK: Changes

  /// Returns the changes of this list from now on: one value whenever a commit, import, rollback, merge, reset or restored snapshot
  /// changes it, and whenever it is read after uncommitted edits that change it. Edits are reported immediately if the context is
  /// ``ManagedObjectContext/isObservable``.
  ///
  /// The values are buffered, so none is lost. They are plain data, and can be consumed in any isolation. The sequence ends when the list
  /// is deallocated.
  public func updates() -> AsyncStream<ResultChanges> { list.updates() }
}

extension LiveResults: RandomAccessCollection {
  /// 0, the position of the first object.
  public var startIndex: Int { 0 }

  /// The number of objects. Reading it loads no objects.
  public var endIndex: Int { current.shownCount }

  /// Returns the object at a position. With a store, this loads the object and its neighbors.
  ///
  /// - Precondition: the list has this position. The list may have become shorter since its count was read.
  public subscript(position: Int) -> Object {
    let list = current
    precondition(
      (0..<list.shownCount).contains(position),
      "position \(position) is not in the list, which has \(list.shownCount) objects")
    return list.object(at: position, as: Object.self)
  }

  /// Returns the objects at the given positions, such as the positions of a section. Like the results of `prefix`, `suffix` and
  /// `dropFirst`, they do not follow later changes. With a store, this loads them.
  ///
  /// - Precondition: the list has these positions.
  public subscript(bounds: Range<Int>) -> ObjectSlice<Object> {
    let list = current
    precondition(
      bounds.lowerBound >= 0 && bounds.upperBound <= list.shownCount,
      "positions \(bounds) are not in the list, which has \(list.shownCount) objects")
    let keys = list.shownKeys(bounds)
    for start in stride(from: 0, to: keys.count, by: ResultList.pageSize) {
      list.rows.load(keys[start..<Swift.min(start + ResultList.pageSize, keys.count)])
    }
    return ObjectSlice(keys.map { list.rows.object(of: $0, as: Object.self) }, at: bounds)
  }

  /// Returns an iterator over the current objects. The list may change during the iteration.
  public func makeIterator() -> Iterator { Iterator(current) }

  /// An iterator over the objects that a list contained when the iteration began.
  public struct Iterator: IteratorProtocol {
    private let list: ResultList
    private var objects: ArraySlice<Object> = []
    private var rest: ArraySlice<Int64>
    /// Objects that are not in any store, by key. They are kept because their rows may move.
    private var unstored: [Int64: Object] = [:]

    init(_ list: ResultList) {
      self.list = list
      rest = list.shownKeys(0..<list.shownCount)[...]
      for key in rest where key < 0 { unstored[key] = list.rows.object(of: key, as: Object.self) }
    }

    /// Returns the next object; nil at the end.
    public mutating func next() -> Object? {
      if objects.isEmpty {
        let keys = rest.prefix(ResultList.pageSize)
        rest = rest.dropFirst(keys.count)
        list.rows.load(keys)
        objects = keys.map { unstored[$0] ?? list.rows.object(of: $0, as: Object.self) }[...]
      }
      return objects.popFirst()
    }
  }
}

#if canImport(Observation)
  /// Views and `withObservationTracking` follow the lists that they read, and are notified when a list has changed.
  extension LiveResults: Observable {}
#endif

extension LiveResults: CustomStringConvertible {
  /// The names of the objects, in the form of an array: `[Hero(1), Hero(7)]`. This loads the objects.
  public var description: String { Array(self).description }
}
