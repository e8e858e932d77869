/// A value of a model file in the pieces that are laid out.
struct LayoutNode {
  /// The value on one line; nil where it does not fit on any, or has comments or blank lines inside.
  let oneLine: String?
  /// What is spread over lines where one does not hold it; nil where there is nothing to spread.
  let list: LayoutList?
  /// Whether the value took several lines in the file.
  var tookSeveralLines = false

  /// A value that has no parts.
  init(text: String) {
    oneLine = text
    list = nil
  }

  /// An array or object.
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
  /// Comments behind the opening bracket, on its line.
  var opening: [LayoutComment] = []
  /// Comments on lines of their own behind the last item.
  var closing: [LayoutComment] = []

  static let array = (open: "[", close: "]")
  static let object = (open: "{", close: "}")

  var isEmpty: Bool { items.isEmpty && opening.isEmpty && closing.isEmpty }

  /// The list on one line; nil where it does not fit on any.
  fileprivate var oneLine: String? {
    if isEmpty { return brackets.open + brackets.close }
    guard !role.isAlwaysSpread, opening.isEmpty, closing.isEmpty else { return nil }
    var text = ""
    for (number, item) in items.enumerated() {
      // A blank line is there to group what it separates.
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
  /// Comments on lines of their own before it.
  var leading: [LayoutComment] = []
  /// Whether a blank line separates it from the comment or item before it.
  var followsBlankLine = false
  /// The key; nil in an array.
  var key: LayoutKey?
  var value: LayoutNode
  /// Comments at the end of its last line.
  var trailing: [LayoutComment] = []

  /// What stands before the value.
  var start: String { key.map { "\($0.text): " } ?? "" }

  var isBare: Bool { leading.isEmpty && trailing.isEmpty }

  /// Whether a blank line stands before the item and its comments.
  var beginsBehindBlankLine: Bool {
    get { leading.first?.followsBlankLine ?? followsBlankLine }
    set { if leading.isEmpty { followsBlankLine = newValue } else { leading[0].followsBlankLine = newValue } }
  }

  /// Puts comments directly before the item.
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
  /// What it says.
  var name: String
  /// How it is written, with its quotes.
  var text: String
}

/// A comment.
struct LayoutComment {
  /// Its lines, without the indentation of the line on which it begins.
  var lines: [String]
  /// Whether a blank line separates it from what stands before it.
  var followsBlankLine = false
}
