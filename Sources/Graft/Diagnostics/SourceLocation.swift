/// A location in text: a file's name, a line, a column, and the text of that line.
///
/// Lines end at LF or CRLF. Columns count Unicode scalars from 1; a tab counts as one scalar ([D7](doc:Rules#D7)).
public struct SourceLocation: Sendable, Hashable {
  /// The file's name as given, or a substitute such as `<payload>`.
  public var file: String
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted in Unicode scalars from 1.
  public var column: Int
  /// The number of Unicode scalars that the location covers in its line; at least 1.
  public var length: Int
  /// The byte offset in the text, counted from 0.
  public var offset: Int
  /// The text of the line, without its end. For a very long line, only a window around the column.
  public var excerpt: String
  /// The column of the first scalar of ``excerpt``: 1, unless the line was too long to keep in full.
  public var excerptColumn: Int
  /// Whether the line continues after the excerpt.
  public var isExcerptCut: Bool

  /// Creates a location.
  public init(
    file: String, line: Int, column: Int, length: Int = 1, offset: Int = 0, excerpt: String = "",
    excerptColumn: Int = 1, isExcerptCut: Bool = false
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.length = length
    self.offset = offset
    self.excerpt = excerpt
    self.excerptColumn = excerptColumn
    self.isExcerptCut = isExcerptCut
  }
}
