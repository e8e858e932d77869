/// A value at an address, which is read and changed in place: without copies, reference counts and exclusivity checks.
///
/// A reference stores only an address, so it costs no more than an address. It is unsafe: it must not be used after its owner has called
/// ``free()``.
struct Reference<Value> {
  private let address: UnsafeMutablePointer<Value>

  /// Allocates memory for a value, which ``free()`` releases.
  init(to value: consuming Value) {
    address = .allocate(capacity: 1)
    address.initialize(to: value)
  }

  var pointee: Value {
    @inline(__always) unsafeAddress { UnsafePointer(address) }
    @inline(__always) nonmutating unsafeMutableAddress { address }
  }

  func free() {
    address.deinitialize(count: 1)
    address.deallocate()
  }
}
