/// The address of an element, or of the first of several consecutive elements. Elements are read in place.
///
/// This value stores only an address, so it costs no more than a pointer. It is unsafe: it is valid only while the memory exists, and it
/// is not checked to lie within that memory.
struct Address<Element>: @unchecked Sendable {
  let place: UnsafePointer<Element>

  @inline(__always) init(_ place: UnsafePointer<Element>) { self.place = place }

  var pointee: Element {
    @inline(__always) unsafeAddress { place }
  }

  subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress { place + index }
  }

  @inline(__always) static func + (first: Address, index: Int) -> Address { Address(first.place + index) }

  /// Returns the number of elements between two addresses.
  @inline(__always) static func - (element: Address, first: Address) -> Int { element.place - first.place }

  /// Changes an element. Only the owner of the memory may call this method, before any other code reads the element.
  func change(_ body: (inout Element) -> Void) { body(&UnsafeMutablePointer(mutating: place).pointee) }

  /// Passes the address of an array's elements to a closure. The address is valid only inside the closure.
  @inline(__always)
  static func with<Result>(_ elements: [Element], _ body: (Address) -> Result) -> Result {
    elements.withUnsafeBufferPointer { buffer in
      // If there are no elements, nothing is read at the address.
      body(Address(buffer.baseAddress ?? UnsafePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped))
    }
  }
}
