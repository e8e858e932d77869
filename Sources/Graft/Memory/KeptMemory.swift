/// Memory that lives as long as this object, for plain data that is read in place.
final class KeptMemory {
  private var blocks: [UnsafeMutableRawPointer] = []

  /// Copies elements into the memory. Returns the address of the first element.
  func place<Element>(_ elements: [Element]) -> Address<Element> {
    let place = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    place.initialize(from: elements, count: elements.count)
    blocks.append(UnsafeMutableRawPointer(place))
    return Address(place)
  }

  /// Copies bytes into the memory.
  func place(bytes: [UInt8]) -> LentBytes {
    let first: Address<UInt8> = place(bytes)
    return LentBytes(first, count: bytes.count)
  }

  // Only plain data is stored here, so nothing needs to be deinitialized.
  deinit { for block in blocks { block.deallocate() } }
}
