import Foundation

/// The write-ahead log beside a store, read without SQLite, which takes a damaged log for one that ends earlier.
///
///     header  magic, format, page size, checkpoint, salt, checksum
///     frame   page, size after a commit, salt, checksum   | the page
///     frame   ...
///
/// Each checksum continues that of the frame before. Frames of an older round have another salt. See <https://sqlite.org/fileformat2.html>,
/// section 4.
struct WriteAheadLog {
  private let path: String
  private let bytes: Data
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Reads the log of a database file; nil if there is none.
  init?(ofFileAt path: String) {
    // A mapped file could become shorter while it is read.
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path + "-wal")), !bytes.isEmpty else { return nil }
    self.path = path
    self.bytes = bytes
  }

  /// Whether another log is of the same round.
  func isSameRound(as other: WriteAheadLog) -> Bool {
    bytes.prefix(WriteAheadLog.headerSize) == other.bytes.prefix(WriteAheadLog.headerSize)
  }

  /// What is wrong: commits that are in the log, and that SQLite does not see behind the damage. nil for a sound log. The last
  /// commit may be torn by a failure of power, before it was acknowledged.
  var damage: String? {
    guard bytes.count > WriteAheadLog.headerSize else { return nil }
    let magic = number(0)
    guard magic | 1 == 0x377F_0683 else {
      return bytes.contains { $0 != 0 } ? "the header of the write-ahead log is not one" : nil
    }
    let isBigEndian = magic & 1 == 1
    var sum = checksum(0..<24, Checksum(), isBigEndian)
    guard sum == stored(24) else {
      return "the header of the write-ahead log is damaged; what was committed in it cannot be read"
    }
    let pageSize = Int(number(8))
    guard 512...1 << 16 ~= pageSize, pageSize & (pageSize - 1) == 0 else {
      return "the header of the write-ahead log has the page size \(pageSize)"
    }
    let frameSize = WriteAheadLog.frameHeaderSize + pageSize
    var firstDamaged: Int?
    // Where the newest sound frame of each page is behind the damage, and how many commits are there. The first of them may be one that a
    // failure of power cut short: nobody was told that it succeeded.
    var behind: [UInt32: Int] = [:]
    var commits = 0
    for index in 0..<(bytes.count - WriteAheadLog.headerSize) / frameSize {
      let start = WriteAheadLog.headerSize + index * frameSize
      // Frames of an older round are behind those of this one.
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
      "frame \(firstDamaged + 1) of the write-ahead log is damaged; what was committed there and later cannot be read"
  }

  /// Whether a commit's frame repeats the one before: SQLite fills a sector of the disk with the last frame of a commit. The end of the
  /// sector is synced with the next commit, so that such a frame may be torn.
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

  /// Whether the file lacks pages of the log. It has all of them if a new round of the log had begun.
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

  /// Two numbers: a checksum, or a salt.
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
