import Foundation
import Graft
import GraftSQLite

/// Files of SQLite stores: a complete file, or changes to a valid file.
///
///     offset (3 bytes, least significant first) | count of bytes | bytes | offset...
enum SQLiteTarget {
  private static let files: StoreFiles = {
    do {
      return try StoreFiles { try SQLiteStore(at: $0, model: StoreFiles.model) }
    } catch { fatalError("\(error)") }
  }()

  static func seeds() throws -> [[UInt8]] {
    let pages = files.sound.count / 4096
    return (0..<pages).map { page in [0, UInt8(page * 16 & 255), UInt8(page >> 4), 1, 13] }
      + [[60, 0, 0, 4, 0, 0, 0, 1, 24, 0, 0, 8, 255, 255, 255, 255, 0, 0, 0, 9]]
  }

  static func check(_ input: [UInt8]) throws {
    let bytes = input.starts(with: Array("SQLite".utf8)) ? input : patched(files.sound, input)
    try files.with(bytes) {
      guard let store = try? SQLiteStore(at: files.file, model: StoreFiles.model) else { return }
      let isSound = (try? store.verify().isEmpty) ?? false
      let dump = try files.use(store, isSound: isSound)
      if isSound, let dump {
        try ImportLaws.expectSame(files.dump, dump, "a store whose damage 'verify' does not find has other objects")
      }
    }
  }

  static func patched(_ sound: [UInt8], _ input: [UInt8]) -> [UInt8] {
    var bytes = sound
    var rest = input[...]
    while rest.count > 4 {
      let patch = Array(rest.prefix(4))
      let offset = (Int(patch[0]) | Int(patch[1]) << 8 | Int(patch[2]) << 16) % bytes.count
      rest = rest.dropFirst(4)
      for (index, byte) in rest.prefix(Int(patch[3])).enumerated() where offset + index < bytes.count {
        bytes[offset + index] = byte
      }
      rest = rest.dropFirst(Int(patch[3]))
    }
    return bytes
  }
}
