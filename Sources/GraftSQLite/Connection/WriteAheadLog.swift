import Foundation
import Graft

/// The write-ahead log of a database, read without SQLite. If a frame is damaged, SQLite ignores that frame and all later frames, and
/// reports no error.
///
///     header  magic, format, page size, checkpoint, salt, checksum
///     frame   page, size after a commit, salt, checksum   | the page
///     frame   ...
///
/// Each checksum continues the checksum of the previous frame. When SQLite restarts the log from the beginning, the salt changes. See
/// <https://sqlite.org/fileformat2.html>, section 4.
struct WriteAheadLog {
  private let path: String
  private let bytes: Data
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Reads the log of a database file. Fails if there is none.
  init?(ofFileAt path: String) {
    // A mapped file could become shorter while it is read.
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path + "-wal")), !bytes.isEmpty else { return nil }
    self.path = path
    self.bytes = bytes
  }

  /// Returns the damage to the log next to a file. Another process may be writing the log in the meantime, so a damaged log is read again.
  static func findings(_ file: StoreFile) -> [Diagnostic] {
    guard let log = WriteAheadLog(ofFileAt: file.path), let damage = log.damage,
      let now = WriteAheadLog(ofFileAt: file.path), now.isSameRound(as: log), now.damage == damage
    else { return [] }
    return [Diagnostic(code: .damagedStore, damage)]
  }

  /// Returns whether the log has not been restarted since another copy was read.
  private func isSameRound(as other: WriteAheadLog) -> Bool {
    bytes.prefix(WriteAheadLog.headerSize) == other.bytes.prefix(WriteAheadLog.headerSize)
  }

  /// Whether the file begins like a log and has more than a header.
  var hasContent: Bool { bytes.count > WriteAheadLog.headerSize && number(0) | 1 == 0x377F_0683 }

  /// The damage that hides commits from SQLite; nil if there is none. A torn last commit is not damage: a power failure can cut a commit
  /// short before it is acknowledged.
  var damage: String? {
    guard bytes.count > WriteAheadLog.headerSize else { return nil }
    return headerDamage ?? frameDamage
  }

  private var isBigEndian: Bool { number(0) & 1 == 1 }
  private var pageSize: Int { Int(number(8)) }

  private var headerDamage: String? {
    guard number(0) | 1 == 0x377F_0683 else {
      return bytes.contains { $0 != 0 }
        ? "the header of the write-ahead log is damaged; its commits cannot be read" : nil
    }
    guard checksum(0..<24, Checksum(), isBigEndian) == stored(24) else {
      return "the header of the write-ahead log is damaged; its commits cannot be read"
    }
    guard 512...1 << 16 ~= pageSize, pageSize & (pageSize - 1) == 0 else {
      return "the header of the write-ahead log has the page size \(pageSize)"
    }
    return nil
  }

  private var frameDamage: String? {
    // A log of zeros is empty.
    guard number(0) != 0 else { return nil }
    let isBigEndian = isBigEndian
    var sum = stored(24)
    let frameSize = WriteAheadLog.frameHeaderSize + pageSize
    var firstDamaged: Int?
    // Collects the newest sound frame of each page after the damage, and the number of commits there. The first commit may be torn.
    var behind: [UInt32: Int] = [:]
    var commits = 0
    for index in 0..<(bytes.count - WriteAheadLog.headerSize) / frameSize {
      let start = WriteAheadLog.headerSize + index * frameSize
      // The frames at the end of the log were written before the log was restarted.
      guard stored(start + 8) == stored(16) else {
        firstDamaged = firstDamaged ?? index
        continue
      }
      let body = checksum(start..<start + 8, sum, isBigEndian)
      let page = start + WriteAheadLog.frameHeaderSize..<start + frameSize
      let isSound = checksum(page, body, isBigEndian) == stored(start + 16)
      if !isSound { firstDamaged = firstDamaged ?? index }
      if firstDamaged != nil {
        if isSound { behind[number(start)] = page.lowerBound }
        if number(start + 4) != 0, !isPadding(start, frameSize, isSound) { commits += 1 }
      }
      sum = stored(start + 16)
    }
    guard let firstDamaged, commits > 1, isLost(behind, pageSize) else { return nil }
    return
      "frame \(firstDamaged + 1) of the write-ahead log is damaged; the commits from there on cannot be read"
  }

  /// Returns whether the last frame of a commit is repeated. SQLite fills a sector of the disk this way. The copies are synced by the
  /// next commit, so they can be torn.
  private func isPadding(_ start: Int, _ frameSize: Int, _ isSound: Bool) -> Bool {
    let before = start - frameSize
    guard before >= WriteAheadLog.headerSize, number(before + 4) != 0, number(before) == number(start) else {
      return false
    }
    let header = bytes.startIndex + WriteAheadLog.frameHeaderSize
    return !isSound
      || bytes[header + before..<bytes.startIndex + start]
        == bytes[header + start..<bytes.startIndex + start + frameSize]
  }

  /// Returns whether pages of the log are missing from the database. After a complete checkpoint, no pages are missing.
  private func isLost(_ pages: [UInt32: Int], _ pageSize: Int) -> Bool {
    guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)) else { return true }
    return pages.contains { page, start in
      guard page > 0, (try? file.seek(toOffset: UInt64(page - 1) * UInt64(pageSize))) != nil,
        let stored = try? file.read(upToCount: pageSize)
      else { return true }
      return stored != bytes[bytes.startIndex + start..<bytes.startIndex + start + pageSize]
    }
  }

  private struct Checksum: Equatable {
    var first: UInt32 = 0
    var second: UInt32 = 0
  }

  private func number(_ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[bytes.startIndex + offset + $1]) }
  }

  /// Returns two numbers: a checksum or a salt.
  private func stored(_ offset: Int) -> Checksum { Checksum(first: number(offset), second: number(offset + 4)) }

  private func checksum(_ range: Range<Int>, _ sum: Checksum, _ isBigEndian: Bool) -> Checksum {
    var sum = sum
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let (left, right) = (number(offset), number(offset + 4))
      sum.first &+= (isBigEndian ? left : left.byteSwapped) &+ sum.second
      sum.second &+= (isBigEndian ? right : right.byteSwapped) &+ sum.first
    }
    return sum
  }
}
