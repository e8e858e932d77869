import Foundation
import Graft

/// Files of snapshot stores, without the header. The checksum is adjusted to the content, as an attacker would do.
enum SnapshotTarget {
  private static let magic = Array("Graft 1\n".utf8)

  private static let files: StoreFiles = {
    do {
      return try StoreFiles { try SnapshotStore(at: $0, model: StoreFiles.model) }
    } catch { fatalError("\(error)") }
  }()

  static func seeds() throws -> [[UInt8]] { [Array(files.sound.dropFirst(16))] }

  static func check(_ input: [UInt8]) throws {
    let bytes = magic + withUnsafeBytes(of: checksum(input).littleEndian, Array.init) + input
    try files.with(bytes, checkFile)
  }

  private static func checkFile() throws {
    let before: [UInt8]
    do {
      guard let store = try? SnapshotStore(at: files.file, model: StoreFiles.model),
        try files.use(store, isSound: true) != nil
      else { return }
      before = ManagedObjectContext(store: store).dumpBytes()
    }
    guard let store = try? SnapshotStore(at: files.file, model: StoreFiles.model) else {
      throw BrokenLaw("a store that was used cannot be opened again")
    }
    try ImportLaws.expectSame(
      before, ManagedObjectContext(store: store).dumpBytes(), "a store has other objects after it is opened again")
  }

  /// Returns the checksum of a snapshot file.
  static func checksum(_ bytes: [UInt8]) -> UInt64 {
    let (first, second): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03)
    func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
      let product = left.multipliedFullWidth(by: right)
      return product.high ^ product.low
    }
    func load(_ offset: Int, _ count: Int) -> UInt64 {
      bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    var state = first ^ UInt64(bytes.count)
    var place = 0
    while bytes.count - place > 16 {
      state = mix(load(place, 8) ^ second, load(place + 8, 8) ^ state)
      place += 16
    }
    let left = bytes.count - place
    var (head, tail): (UInt64, UInt64) = (0, 0)
    if left >= 8 {
      (head, tail) = (load(place, 8), load(bytes.count - 8, 8))
    } else if left >= 4 {
      (head, tail) = (load(place, 4), load(bytes.count - 4, 4))
    } else if left > 0 {
      head = UInt64(bytes[place]) << 16 | UInt64(bytes[place + (left >> 1)]) << 8 | UInt64(bytes[bytes.count - 1])
    }
    return mix(mix(head ^ second, tail ^ state), first | 1)
  }
}
