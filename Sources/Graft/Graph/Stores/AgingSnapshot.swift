/// A snapshot of a store that keeps what later commits replaced until it is released.
package protocol AgingSnapshot: StoreSnapshot {
  /// Whether the snapshot is old and costs the store much: whoever holds it should move on to a newer one.
  var lagsBehind: Bool { get }
}
