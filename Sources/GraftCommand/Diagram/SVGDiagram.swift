/// A model as a picture: boxes in columns, right-angled lines with crow's feet, hollow arrows to parents.
///
/// The boxes have their own background, and the color of the lines is visible on light and dark pages.
struct SVGDiagram {
  private static let lineColor = "#7385a0"

  private let model: DiagramModel
  private let layout: DiagramLayout
  private let tracks: DiagramTracks

  init(_ model: DiagramModel) {
    self.model = model
    layout = DiagramLayout(model)
    tracks = DiagramTracks(layout)
  }

  /// The picture.
  var text: String {
    let (width, height) = (number(tracks.width), number(layout.height))
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" role=\"img\" "
        + "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"\(number(DiagramText.size))\">",
      "  <title>\((model.name ?? "Model").escapedForMarkup)</title>",
    ]
    lines += layout.lines.indices.map(drawing)
    for item in layout.items {
      if let entity = item.entity { lines += box(model.entities[entity], item) }
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  // MARK: Boxes

  private func box(_ entity: DiagramModel.Entity, _ item: DiagramLayout.Item) -> [String] {
    let (left, right) = tracks.columns[item.column]
    let header = DiagramLayout.headerHeight
    let color = entity.isAbstract ? "#6b5b95" : "#2f5d8c"
    let (x, y, width) = (number(left), number(item.top), number(right - left))
    let rect = "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\""
    var lines = [
      "  <g class=\"entity\">",
      "    \(rect) class=\"box\" height=\"\(number(item.height))\" rx=\"6\" fill=\"#ffffff\"/>",
      "    \(rect) height=\"\(number(header))\" rx=\"6\" fill=\"\(color)\"/>",
    ]
    if item.height > header {
      lines.append(
        "    <rect x=\"\(x)\" y=\"\(number(item.top + header - 8))\" width=\"\(width)\" height=\"8\" fill=\"\(color)\"/>"
      )
    }
    let style =
      "font-size=\"14\" font-weight=\"bold\" fill=\"#ffffff\"\(entity.isAbstract ? " font-style=\"italic\"" : "")"
    lines.append(text(entity.name, left + DiagramText.inset, item.top + 22, style))
    if entity.isAbstract {
      let style = "font-size=\"11\" fill=\"#e6e0f2\" text-anchor=\"end\""
      lines.append(text("abstract", right - DiagramText.inset, item.top + 21.5, style))
    }
    var middle = item.top + header + 4 + DiagramLayout.rowHeight / 2
    func row(_ name: String, _ type: String, _ nameStyle: String, _ typeStyle: String) {
      lines.append(text(name, left + DiagramText.inset, middle + 4.5, nameStyle))
      lines.append(text(type, right - DiagramText.inset, middle + 4.5, "\(typeStyle) text-anchor=\"end\""))
      middle += DiagramLayout.rowHeight
    }
    for attribute in entity.attributes {
      let mark = attribute.isIdentity ? " font-weight=\"bold\" text-decoration=\"underline\"" : ""
      row(attribute.name, attribute.typeText, "fill=\"#1f2937\"\(mark)", "fill=\"#6b7280\"")
    }
    if !entity.attributes.isEmpty, !entity.relationships.isEmpty {
      let y = number(middle - DiagramLayout.rowHeight / 2)
      lines.append("    <path d=\"M\(x) \(y)H\(number(right))\" stroke=\"#d5dce6\"/>")
    }
    for relationship in entity.relationships {
      let mark = relationship.isIdentity ? " font-weight=\"bold\" text-decoration=\"underline\"" : ""
      row(
        relationship.name, DiagramText.target(of: relationship, in: model), "fill=\"#2f5d8c\"\(mark)",
        "fill=\"#6b7280\"")
    }
    let frame = "fill=\"none\" stroke=\"\(color)\""
    return lines + ["    \(rect) height=\"\(number(item.height))\" rx=\"6\" \(frame)/>", "  </g>"]
  }

  private func text(_ text: String, _ x: Double, _ y: Double, _ style: String) -> String {
    "    <text x=\"\(number(x))\" y=\"\(number(y))\" \(style)>\(text.escapedForMarkup)</text>"
  }

  // MARK: Lines

  private func drawing(_ number: Int) -> String {
    let line = layout.lines[number]
    let points = self.points(number)
    let start = points[0]
    let end = points[points.count - 1]
    let isLoop =
      line.start.entity == line.end.entity || tracks.columns[layout.items[line.end.entity].column].left != end.x
    let (kind, title): (String, String)
    var marks = ""
    switch line.kind {
    case .inheritance(let parent, let child):
      (kind, title) = ("inheritance", "\(model.entities[child].name) is a \(model.entities[parent].name)")
      marks = SVGDiagram.arrow(start.x, start.y)
    case .link(let index, let isReversed):
      let link = model.links[index]
      (kind, title) = ("relationship", self.title(link))
      let far = model.relationship(link.place).cardinality
      let near = link.inverse.map { model.relationship($0).cardinality }
      if let first = isReversed ? far : near { marks += SVGDiagram.foot(start.x, start.y, 1, first) }
      if let last = isReversed ? near : far { marks += SVGDiagram.foot(end.x, end.y, isLoop ? 1 : -1, last) }
    }
    return "  <g class=\"\(kind)\" fill=\"none\" stroke=\"\(SVGDiagram.lineColor)\" stroke-width=\"1.4\">"
      + "<title>\(title.escapedForMarkup)</title><path d=\"\(SVGDiagram.path(points))\"/>\(marks)</g>"
  }

  /// Returns the tooltip of the line: `Hero.powers 0..* / Power.heroes 0..*`.
  private func title(_ link: DiagramModel.Link) -> String {
    var places = [link.place]
    if let inverse = link.inverse, inverse != link.place { places.append(inverse) }
    return places.map { place in
      let relationship = model.relationship(place)
      return "\(model.entities[place.entity].name).\(relationship.name) \(relationship.cardinality.text)"
    }.joined(separator: " / ")
  }

  private typealias Point = (x: Double, y: Double)

  private func points(_ line: Int) -> [Point] {
    var points: [Point] = []
    for (index, piece) in layout.pieces.enumerated() where piece.line == line {
      let (from, to) = (layout.items[piece.from.item], layout.items[piece.to.item])
      let (start, end) = (from.top + piece.from.offset, to.top + piece.to.offset)
      let turn = tracks.turns[index]
      let column = tracks.columns[to.column]
      points += [(tracks.columns[from.column].right, start), (turn, start), (turn, end)]
      points.append((to.column == piece.gutter ? column.right : column.left, end))
    }
    return points
  }

  /// Returns a line with rounded corners that connects the points.
  private static func path(_ points: [Point]) -> String {
    var path = "M\(number(points[0].x)) \(number(points[0].y))"
    for index in points.indices.dropFirst().dropLast() {
      let (before, corner, after) = (points[index - 1], points[index], points[index + 1])
      let radius = min(6, distance(before, corner) / 2, distance(corner, after) / 2)
      guard radius > 0 else { continue }
      let (enter, leave) = (toward(before, from: corner, radius), toward(after, from: corner, radius))
      path += "L\(number(enter.x)) \(number(enter.y))Q\(number(corner.x)) \(number(corner.y)) "
      path += "\(number(leave.x)) \(number(leave.y))"
    }
    let end = points[points.count - 1]
    return path + "L\(number(end.x)) \(number(end.y))"
  }

  private static func distance(_ one: Point, _ other: Point) -> Double { abs(one.x - other.x) + abs(one.y - other.y) }

  private static func toward(_ goal: Point, from start: Point, _ length: Double) -> Point {
    let share = length / max(distance(start, goal), 1)
    return (start.x + (goal.x - start.x) * share, start.y + (goal.y - start.y) * share)
  }

  /// Returns a crow's foot, or a bar for one object, followed by a ring if there may be no object or a bar if one is required.
  private static func foot(
    _ x: Double, _ y: Double, _ side: Double, _ cardinality: DiagramModel.Cardinality
  ) -> String {
    func bar(_ away: Double) -> String { "M\(number(x + side * away)) \(number(y - 5))v10" }
    let tip = number(x + side * 11)
    let (left, top, bottom) = (number(x), number(y - 6), number(y + 6))
    let most = cardinality.isToMany ? "M\(left) \(top)L\(tip) \(number(y))L\(left) \(bottom)" : bar(7)
    if cardinality.least > 0 { return "<path d=\"\(most)\(bar(cardinality.isToMany ? 15 : 12))\"/>" }
    let ring = "<circle cx=\"\(number(x + side * 15))\" cy=\"\(number(y))\" r=\"4\" fill=\"#ffffff\"/>"
    return "<path d=\"\(most)\"/>\(ring)"
  }

  private static func arrow(_ x: Double, _ y: Double) -> String {
    "<path d=\"M\(number(x)) \(number(y))l12 -6v12z\" fill=\"#ffffff\"/>"
  }
}

/// Returns a length without unnecessary digits: `12`, `12.5`.
private func number(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  let sign = tenths < 0 ? "-" : ""
  return tenths % 10 == 0 ? "\(tenths / 10)" : "\(sign)\(abs(tenths) / 10).\(abs(tenths) % 10)"
}
