/// A number that is stored in 32 bits, so that types that are copied often stay small.
///
///     @Short var table = 0
@propertyWrapper struct Short {
  private var bits: Int32

  @inline(__always) init(wrappedValue: Int) { bits = Int32(truncatingIfNeeded: wrappedValue) }

  @inline(__always) var wrappedValue: Int {
    get { Int(bits) }
    set { bits = Int32(truncatingIfNeeded: newValue) }
  }
}
