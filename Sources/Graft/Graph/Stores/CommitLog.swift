/// The changes in recent commits, oldest first, in blocks. After a copy of the log, a commit copies one block rather than all blocks.
struct CommitLog {
  /// The minimum number of recent commits to keep.
  private static let most = 1000
  private static let blockSize = 32
  private var blocks: [[StoreLog]] = []
  private(set) var count = 0

  mutating func append(_ entry: StoreLog) {
    if blocks.last.map({ $0.count == CommitLog.blockSize }) ?? true { blocks.append([]) }
    blocks[blocks.count - 1].append(entry)
    count += 1
    guard count - blocks[0].count >= CommitLog.most else { return }
    count -= blocks[0].count
    blocks.removeFirst()
  }

  /// The changes in the given number of latest commits.
  func suffix(_ number: Int) -> [StoreLog] {
    var found: [StoreLog] = []
    for block in blocks.reversed() where found.count < number {
      found.insert(contentsOf: block.suffix(number - found.count), at: 0)
    }
    return found
  }
}
