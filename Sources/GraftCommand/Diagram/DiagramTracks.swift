/// The columns and gutters of a layout from left to right, and the tracks of the lines in each gutter.
struct DiagramTracks {
  private static let room = 34.0
  private static let distance = 12.0

  /// The left and right edge of each column.
  private(set) var columns: [(left: Double, right: Double)] = []
  /// The total width.
  private(set) var width = DiagramLayout.margin
  /// The horizontal position at which each segment turns.
  private(set) var turns: [Double]

  /// A shared track: the heights at which lines enter from the left and leave to the right.
  private struct Track {
    var pieces: [Int] = []
    var left: [Double] = []
    var right: [Double] = []

    var span: ClosedRange<Double> {
      let all = left + right
      return (all.min() ?? 0)...(all.max() ?? 0)
    }

    /// Returns the cost of placing this track to the left of another: crossing lines and, at a higher cost, overlapping lines.
    func cost(before other: Track) -> Int {
      let crossings = other.left.count { span.contains($0) } + right.count { other.span.contains($0) }
      let overlaps = right.count { height in other.left.contains { abs($0 - height) < 4 } }
      return crossings + 10 * overlaps
    }
  }

  init(_ layout: DiagramLayout) {
    turns = Array(repeating: 0, count: layout.pieces.count)
    for column in 0..<layout.columnCount {
      let widest = layout.items.filter { $0.column == column }.map(\.width).max() ?? 0
      columns.append((width, width + widest))
      width += widest
      let tracks = DiagramTracks.sorted(DiagramTracks.tracks(layout, gutter: column))
      guard column + 1 < layout.columnCount || !tracks.isEmpty else { continue }
      for (index, track) in tracks.enumerated() {
        for piece in track.pieces { turns[piece] = width + DiagramTracks.room + Double(index) * DiagramTracks.distance }
      }
      let gutter = Double(max(tracks.count - 1, 0)) * DiagramTracks.distance + DiagramTracks.room
      width += gutter + (column + 1 < layout.columnCount ? DiagramTracks.room : 0)
    }
    width += DiagramLayout.margin
  }

  private static func tracks(_ layout: DiagramLayout, gutter: Int) -> [Track] {
    var tracks: [Track] = []
    var numbers: [Int: Int] = [:]
    for (index, piece) in layout.pieces.enumerated() where piece.gutter == gutter {
      if numbers[piece.track] == nil {
        numbers[piece.track] = tracks.count
        tracks.append(Track())
      }
      let number = numbers[piece.track] ?? 0
      tracks[number].pieces.append(index)
      tracks[number].left.append(layout.items[piece.from.item].top + piece.from.offset)
      let end = layout.items[piece.to.item].top + piece.to.offset
      if layout.items[piece.to.item].column == gutter {
        tracks[number].left.append(end)
      } else {
        tracks[number].right.append(end)
      }
    }
    return tracks
  }

  /// Sorts tracks by swapping neighbors while that reduces the cost. The number of rounds is limited, because costs may cycle.
  private static func sorted(_ tracks: [Track]) -> [Track] {
    var tracks = tracks
    for _ in tracks.indices {
      var isBetter = false
      for index in tracks.indices.dropLast() {
        let (one, other) = (tracks[index], tracks[index + 1])
        guard other.cost(before: one) < one.cost(before: other) else { continue }
        tracks.swapAt(index, index + 1)
        isBetter = true
      }
      if !isBetter { break }
    }
    return tracks
  }
}
