/// Lays out model files in one way, so that nobody has to think about it.
///
///     let laidOut = try ModelFileFormatter.format(text, fileName: "Heroes.json")
///
/// Keys come in one order, and members are indented by two spaces. A property stands on one line where 120 columns hold
/// it, and otherwise on a line for each of its members, each with a comma behind it. Entities, attributes,
/// relationships, user info, and everything in arrays keep their order.
///
/// Comments stay with the member before which, or at the end of whose line, they stand, also where the member moves.
/// One blank line is kept between members, and entities are set apart by one. Strings and numbers stay letter for
/// letter. What the model means does not change, and formatting twice is the same as formatting once.
public enum ModelFileFormatter {
  /// The text of a model file in canonical layout. The model may have findings; only its syntax must be right.
  ///
  /// - Parameters:
  ///   - text: the text of a model file.
  ///   - fileName: what to call the file in messages.
  /// - Throws: what is wrong with the syntax, and where.
  public static func format(_ text: String, fileName: String = "model.json") throws(ModelError) -> String {
    String(decoding: try format(SourceText(name: fileName, bytes: Array(text.utf8))), as: UTF8.self)
  }

  /// The bytes of a model file in canonical layout: UTF-8 without a byte order mark, lines that end in LF.
  package static func format(_ source: SourceText) throws(ModelError) -> [UInt8] {
    let tree = try ModelFile.tree(of: source)
    var reader = LayoutReader(source.bytes, tree)
    return Array(LayoutWriter.text(of: reader.document()).utf8)
  }
}
