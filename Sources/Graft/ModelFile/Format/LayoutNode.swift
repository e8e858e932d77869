/// A value of a model file, split into the pieces to lay out.
struct LayoutNode {
  /// The value on one line, or nil if it does not fit or contains comments or blank lines.
  let oneLine: String?
  /// The list to spread over lines if one line is not enough, or nil for a value without parts.
  let list: LayoutList?
  /// Whether the value took several lines in the file.
  var tookSeveralLines = false

  /// Creates a value without parts.
  init(text: String) {
    oneLine = text
    list = nil
  }

  /// Creates an array or object.
  init(_ list: LayoutList) {
    oneLine = list.oneLine
    self.list = list.isEmpty ? nil : list
  }
}

/// An array or object.
struct LayoutList {
  var brackets: (open: String, close: String)
  var role: LayoutRole
  var items: [LayoutItem] = []
  /// The comments after the opening bracket, on its line.
  var opening: [LayoutComment] = []
  /// The comments on separate lines after the last item.
  var closing: [LayoutComment] = []

  static let array = (open: "[", close: "]")
  static let object = (open: "{", close: "}")

  var isEmpty: Bool { items.isEmpty && opening.isEmpty && closing.isEmpty }

  /// Attaches comments to the last item or, if there is none, to the opening bracket.
  mutating func attach(_ comments: [LayoutComment]) {
    if items.isEmpty { opening += comments } else { items[items.count - 1].trailing += comments }
  }

  /// The list on one line, or nil if it does not fit.
  fileprivate var oneLine: String? {
    if isEmpty { return brackets.open + brackets.close }
    guard !role.isAlwaysSpread, opening.isEmpty, closing.isEmpty else { return nil }
    var text = ""
    for (number, item) in items.enumerated() {
      // A blank line groups items, so it is kept.
      guard item.isBare, number == 0 || !item.followsBlankLine, let value = item.value.oneLine else { return nil }
      text += (number == 0 ? "" : ", ") + item.start + value
      guard text.utf8.count <= 8 * LayoutWriter.width else { return nil }
    }
    let space = brackets == LayoutList.object ? " " : ""
    return brackets.open + space + text + space + brackets.close
  }
}

/// A member of an object, or an element of an array.
struct LayoutItem {
  /// The comments on separate lines before the item.
  var leading: [LayoutComment] = []
  /// Whether a blank line separates the item from the preceding comment or item.
  var followsBlankLine = false
  /// The key, or nil in an array.
  var key: LayoutKey?
  var value: LayoutNode
  /// The comments at the end of the item's last line.
  var trailing: [LayoutComment] = []

  /// The text before the value.
  var start: String { key.map { "\($0.text): " } ?? "" }

  var isBare: Bool { leading.isEmpty && trailing.isEmpty }

  /// Whether a blank line precedes the item and its comments.
  var beginsBehindBlankLine: Bool {
    get { leading.first?.followsBlankLine ?? followsBlankLine }
    set { if leading.isEmpty { followsBlankLine = newValue } else { leading[0].followsBlankLine = newValue } }
  }

  /// Adds comments directly before the item.
  mutating func lead(with comments: [LayoutComment]) {
    for var comment in comments {
      comment.followsBlankLine = followsBlankLine
      followsBlankLine = false
      leading.append(comment)
    }
  }
}

/// The key of a member.
struct LayoutKey {
  /// The decoded key.
  var name: String
  /// The key as written, with its quotes.
  var text: String
}

/// A comment.
struct LayoutComment {
  /// The lines, without the indentation of the first line.
  var lines: [String]
  /// Whether a blank line precedes the comment.
  var followsBlankLine = false
}
