import Foundation
import GraftTestSupport

/// The files as they are on disk, and the changes to each file since it was last synced.
struct Disk {
  /// Data that is certain to be on disk.
  private var synced: [String: [UInt8]] = [:]
  /// Changes that might be on disk, in order.
  private var pending: [String: [FileSystem.Change]] = [:]
  private(set) var begun: Int64 = 0
  private(set) var acknowledged: Int64 = 0

  /// The part of the unsynced changes that a power failure leaves on disk.
  enum Remainder: CaseIterable { case nothing, something, everything }

  /// Whether there are no unsynced changes.
  var isSynced: Bool { pending.isEmpty }

  /// Creates a folder with an empty file that has been synced.
  init() { synced["store.graft"] = [] }

  mutating func apply(_ change: FileSystem.Change) {
    switch change {
    case .begun(let number): begun = number
    case .acknowledged(let number): acknowledged = number
    case .write(let name, _, _), .truncate(let name, _): pending[name, default: []].append(change)
    case .delete(let name, let isSynced):
      pending[name, default: []].append(change)
      if isSynced { sync(name) }
    case .sync(let name): sync(name)
    }
  }

  private mutating func sync(_ name: String) {
    for change in pending.removeValue(forKey: name) ?? [] { Disk.apply(change, to: &synced[name]) }
  }

  private static func apply(_ change: FileSystem.Change, to file: inout [UInt8]?) {
    switch change {
    case .write(_, let offset, let bytes): write(bytes[...], at: offset, to: &file)
    case .truncate(_, let size):
      var bytes = file ?? []
      if bytes.count > size { bytes.removeLast(bytes.count - size) }
      file = bytes
    case .delete: file = nil
    default: break
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to file: inout [UInt8]?) {
    var content = file ?? []
    let end = offset + bytes.count
    if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
    content.replaceSubrange(offset..<end, with: bytes)
    file = content
  }

  /// The files after a power failure.
  func files(_ remainder: Remainder, _ random: inout SeededRandom) -> [String: [UInt8]] {
    var files = synced
    if remainder == .nothing { return files }
    for (name, changes) in pending.sorted(by: { $0.key < $1.key }) {
      for change in changes {
        if remainder == .everything {
          Disk.apply(change, to: &files[name])
          continue
        }
        guard case .write(_, let offset, let bytes) = change else {
          if Bool.random(using: &random) { Disk.apply(change, to: &files[name]) }
          continue
        }
        // Each sector of 512 bytes is written either completely or not at all.
        var start = 0
        while start < bytes.count {
          let end = min(bytes.count, ((offset + start) / 512 + 1) * 512 - offset)
          if Bool.random(using: &random) { Disk.write(bytes[start..<end], at: offset + start, to: &files[name]) }
          start = end
        }
      }
    }
    return files
  }
}
