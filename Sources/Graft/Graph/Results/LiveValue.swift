#if canImport(Observation)
  public import Observation
#endif

/// A count, or another value computed over objects, that stays current.
///
///     let count = try context.liveCount(Hero.self, where: #Predicate { $0.publisher == nil })
///     print(count.value)
///     for await number in count.updates() { print(number) }
///
/// A live value follows the same changes as ``LiveResults``. A count tests only the objects that changed. Any other value is
/// computed again when an object that it reads changes, by the store if there is one.
public final class LiveValue<Value: Equatable & Sendable> {
  private let source: any LiveValueSource<Value>
  private var latest: Value
  private var observers = ResultObservers<Value>()
  #if canImport(Observation)
    private let registrar = ObservationRegistrar()
  #endif

  init(_ source: any LiveValueSource<Value>) {
    self.source = source
    latest = source.latest
    source.onChange { [weak self] in self?.takeOver() }
  }

  deinit { observers.finish() }

  private func takeOver() {
    let new = source.latest
    if new == latest { return }
    latest = new
    observers.send(new)
    #if canImport(Observation)
      registrar.willSet(self, keyPath: \.value)
      registrar.didSet(self, keyPath: \.value)
    #endif
  }

  /// The current value.
  public var value: Value {
    #if canImport(Observation)
      registrar.access(self, keyPath: \.value)
    #endif
    source.refresh()
    return latest
  }

  /// The reason why the value could not be brought up to date, such as a sum that overflows; nil if it is current. Until an attempt
  /// succeeds, ``value`` does not change.
  public var error: StoreError? {
    _ = value
    return source.failure
  }

  /// Returns the values from now on, at the same times as ``LiveResults/updates()``.
  ///
  /// The values are buffered, so none is lost. The sequence ends when this object is deallocated.
  public func updates() -> AsyncStream<Value> {
    _ = value
    return observers.add()
  }
}

#if canImport(Observation)
  /// Views and `withObservationTracking` follow the values that they read.
  extension LiveValue: Observable {}
#endif

/// The source of a ``LiveValue``.
protocol LiveValueSource<Value>: AnyObject {
  associatedtype Value
  var latest: Value { get }
  var failure: StoreError? { get }
  func refresh()
  func onChange(_ body: @escaping () -> Void)
}

/// The number of objects of a live list.
final class CountSource: LiveValueSource {
  private let list: ResultList

  init(_ list: ResultList) { self.list = list }

  var latest: Int { list.shownCount }
  var failure: StoreError? { list.failure }
  func refresh() { list.refresh() }
  func onChange(_ body: @escaping () -> Void) { list.onChange { _ in body() } }
}

/// A value that is computed again when an object in one of its tables has changed.
final class ComputedSource<Value>: LiveValueSource {
  private let context: ManagedObjectContext
  private let query: ObjectQuery
  /// The tables that the value was computed from.
  private var tables: Set<Int>
  private let compute: () throws(StoreError) -> Value
  private(set) var latest: Value
  private(set) var failure: StoreError?
  private var isStale = false
  private var didChange: () -> Void = {}

  init(
    _ context: ManagedObjectContext, _ query: ObjectQuery, _ compute: @escaping () throws(StoreError) -> Value
  ) throws(StoreError) {
    self.context = context
    self.query = query
    tables = query.renewal?.tables ?? []
    self.compute = compute
    latest = try compute()
    follow(query.condition)
    context.follow(self)
  }

  /// Follows the tables that a condition reads.
  private func follow(_ condition: StoreCondition) {
    tables.formUnion(ReadTables(condition, [], table: query.table, context.queryMap.schema).tables)
    tables.insert(query.table)
  }

  func refresh() {
    context.hub.results?.collect()
    settle()
  }

  func onChange(_ body: @escaping () -> Void) { didChange = body }
}

extension ComputedSource: ResultFollower {
  func note(_ rows: ChangedRows) { if rows.keys.keys.contains(where: { tables.contains($0) }) { isStale = true } }

  func note(_ log: StoreLog) {
    let changed = Set(log.written.keys).union(log.deleted.keys)
    if log.isIncomplete || !changed.isDisjoint(with: tables) { isStale = true }
  }

  func follow(_ moves: RowMoves) { if moves.replacesAll { isStale = true } }

  func takeNumbers() {}

  func settle() {
    guard isStale else { return }
    isStale = false
    do throws(StoreError) {
      latest = try compute()
      if let renewal = query.renewal { follow(try renewal.translate()) }
      failure = nil
      didChange()
    } catch {
      (failure, isStale) = (error, true)
    }
  }
}
