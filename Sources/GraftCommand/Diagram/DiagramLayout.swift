/// The positions of the boxes in a diagram, and the routes of the lines.
///
///     column 0   gutter 0   column 1   gutter 1
///     [ Hero ]------+       [ Power ]
///     [      ]---+  +-------[       ]
///     [      ]   |
///                +----------[ Publisher ]
///
/// Boxes are in columns. A line turns only in the gutters between them, each on its own track. If a line crosses a column, the
/// boxes leave a lane for it.
struct DiagramLayout {
  static let headerHeight = 34.0
  static let rowHeight = 22.0
  static let margin = 20.0
  private static let gap = 28.0
  private static let laneHeight = 10.0
  private static let portHeight = 16.0

  /// A box, or the lane of a line that crosses a column.
  struct Item {
    /// nil for a lane.
    let entity: Int?
    let column: Int
    let width: Double
    var height: Double
    var top = 0.0
  }

  /// A segment of a line between items of adjacent columns. If the line turns back, both items are left of the gutter.
  struct Piece {
    let line: Int
    let from: (item: Int, offset: Double)
    let to: (item: Int, offset: Double)
    let gutter: Int
    /// Segments with the same number share a track.
    let track: Int
  }

  /// A line: a link, or inheritance, from left to right.
  struct Line {
    enum Kind { case link(Int, isReversed: Bool), inheritance(parent: Int, child: Int) }
    let kind: Kind
    let start: (entity: Int, offset: Double)
    let end: (entity: Int, offset: Double)
  }

  private(set) var items: [Item] = []
  private(set) var lines: [Line] = []
  private(set) var pieces: [Piece] = []
  /// The items of each column, from the top.
  private var columns: [[Int]] = []

  init(_ model: DiagramModel) {
    let layers = DiagramLayers(model).columns
    columns = Array(repeating: [], count: (layers.max() ?? -1) + 1)
    for (number, entity) in model.entities.enumerated() {
      let rows = Double(entity.attributes.count + entity.relationships.count)
      let padding = rows > 0 ? 8.0 : 0
      columns[layers[number]].append(items.count)
      items.append(
        Item(
          entity: number, column: layers[number], width: DiagramText.width(of: entity, in: model),
          height: DiagramLayout.headerHeight + rows * DiagramLayout.rowHeight + padding))
    }
    addLines(model, layers)
    for line in lines.indices { route(line, layers) }
    order()
    settle()
  }

  /// The total height.
  var height: Double { (items.map { $0.top + $0.height }.max() ?? 0) + DiagramLayout.margin }
  var columnCount: Int { columns.count }

  /// Returns the distance of a relationship's row from the top of its box.
  private static func offset(_ place: DiagramModel.Place, _ model: DiagramModel) -> Double {
    headerHeight + 4 + (Double(model.entities[place.entity].attributes.count + place.index) + 0.5) * rowHeight
  }

  private mutating func addLines(_ model: DiagramModel, _ layers: [Int]) {
    for (number, entity) in model.entities.enumerated() {
      guard let parent = entity.parent else { continue }
      lines.append(Line(kind: .inheritance(parent: parent, child: number), start: (parent, 11), end: (number, 11)))
    }
    var arrivals = Array(repeating: 0, count: model.entities.count)
    for (number, link) in model.links.enumerated() {
      let start = (entity: link.place.entity, offset: DiagramLayout.offset(link.place, model))
      var end = (entity: model.relationship(link.place).destination, offset: 23.0)
      if let inverse = link.inverse, inverse != link.place {
        // The inverse's row is in an ancestor's box if the destination inherits it.
        end = (inverse.entity, DiagramLayout.offset(inverse, model))
      } else {
        // A line without its own row ends at the header. The box grows for further lines.
        if arrivals[end.entity] > 0 {
          end.offset = items[end.entity].height + DiagramLayout.portHeight / 2 - 2
          items[end.entity].height += DiagramLayout.portHeight
        }
        arrivals[end.entity] += 1
      }
      let isReversed = layers[end.entity] < layers[start.entity]
      lines.append(
        Line(
          kind: .link(number, isReversed: isReversed), start: isReversed ? end : start, end: isReversed ? start : end))
    }
  }

  /// Splits a line into segments, with a lane in each column that it crosses.
  private mutating func route(_ number: Int, _ layers: [Int]) {
    let line = lines[number]
    let (first, last) = (layers[line.start.entity], layers[line.end.entity])
    var track = lines.count + number
    if case .inheritance(let parent, _) = line.kind { track = -1 - parent }
    var from = (item: line.start.entity, offset: line.start.offset)
    for column in first..<max(last, first + 1) {
      var to = (item: line.end.entity, offset: line.end.offset)
      if column + 1 < last {
        to = (items.count, DiagramLayout.laneHeight / 2)
        columns[column + 1].append(items.count)
        items.append(Item(entity: nil, column: column + 1, width: 0, height: DiagramLayout.laneHeight))
      }
      pieces.append(Piece(line: number, from: from, to: to, gutter: column, track: column == first ? track : number))
      from = to
    }
  }

  // MARK: Order and height

  /// Sorts each column by the connected items, in both directions, so that fewer lines cross.
  private mutating func order() {
    stack()
    for round in 0..<8 {
      let wanted = self.wantedTops(lookingLeft: round % 2 == 0)
      for column in columns.indices {
        let places = Dictionary(uniqueKeysWithValues: columns[column].enumerated().map { ($1, $0) })
        columns[column].sort {
          let (one, other) = (wanted[$0] + items[$0].height / 2, wanted[$1] + items[$1].height / 2)
          return one == other ? places[$0, default: 0] < places[$1, default: 0] : one < other
        }
      }
      stack()
    }
  }

  /// Stacks and centers the items of each column.
  private mutating func stack() {
    for column in columns {
      let total = column.reduce(0) { $0 + items[$1].height + DiagramLayout.gap }
      var top = -total / 2
      for item in column {
        items[item].top = top
        top += items[item].height + DiagramLayout.gap
      }
    }
  }

  /// Returns the positions of the items at which their lines would be straight; nil considers both sides.
  private func wantedTops(lookingLeft: Bool?) -> [Double] {
    var sums = Array(repeating: (sum: 0.0, count: 0.0), count: items.count)
    for piece in pieces where items[piece.from.item].column != items[piece.to.item].column {
      if lookingLeft != true {
        sums[piece.from.item].sum += items[piece.to.item].top + piece.to.offset - piece.from.offset
        sums[piece.from.item].count += 1
      }
      if lookingLeft != false {
        sums[piece.to.item].sum += items[piece.from.item].top + piece.from.offset - piece.to.offset
        sums[piece.to.item].count += 1
      }
    }
    return items.indices.map { sums[$0].count > 0 ? sums[$0].sum / sums[$0].count : items[$0].top }
  }

  /// Moves the items of each column toward positions with straight lines, without changing their order.
  private mutating func settle() {
    for round in 0..<40 {
      let wanted = wantedTops(lookingLeft: round < 10 ? round % 2 == 0 : nil)
      for column in columns { place(column, wanted) }
    }
    // Two columns that align with each other never converge, so one finally follows the other.
    for column in columns { place(column, wantedTops(lookingLeft: true)) }
    let least = items.map(\.top).min() ?? 0
    for item in items.indices { items[item].top = (items[item].top - least).rounded() + DiagramLayout.margin }
  }

  /// Places items as near as possible to their desired positions while keeping the distances. Neighbors that would collide
  /// form a block, which is placed at the mean of their positions.
  private mutating func place(_ column: [Int], _ wanted: [Double]) {
    var blocks: [(sum: Double, count: Double, items: [(item: Int, offset: Double)])] = []
    var offset = 0.0
    for item in column {
      blocks.append((wanted[item] - offset, 1, [(item, offset)]))
      offset += items[item].height + DiagramLayout.gap
      while blocks.count > 1 {
        let (last, before) = (blocks[blocks.count - 1], blocks[blocks.count - 2])
        guard before.sum / before.count > last.sum / last.count else { break }
        blocks.removeLast(2)
        blocks.append((before.sum + last.sum, before.count + last.count, before.items + last.items))
      }
    }
    for block in blocks {
      for (item, offset) in block.items { items[item].top = block.sum / block.count + offset }
    }
  }
}
