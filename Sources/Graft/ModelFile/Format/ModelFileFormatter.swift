/// Formats model files in a canonical layout.
///
///     let laidOut = try ModelFileFormatter.format(text, fileName: "Heroes.json")
///
/// Keys have a fixed order, and members are indented by two spaces. A property is on one line if it fits into 120 columns.
/// Otherwise, each of its members is on its own line, followed by a comma. Entities, attributes, relationships, user info, and
/// everything in arrays keep their order.
///
/// A comment stays with the member that it precedes or follows on the same line, even if that member moves. Between
/// members, at most one blank line is kept. Entities are always separated by a blank line. Strings and numbers are never rewritten. The
/// meaning of the model does not change, and formatting twice gives the same result as formatting once.
public enum ModelFileFormatter {
  /// Returns the text of a model file in canonical layout. The model may have findings; only its syntax must be valid.
  ///
  /// - Parameters:
  ///   - text: the text of a model file.
  ///   - fileName: the name of the file in messages.
  /// - Throws: a ``ModelError`` with the syntax errors and their locations.
  public static func format(_ text: String, fileName: String = "model.json") throws(ModelError) -> String {
    String(decoding: try format(SourceText(name: fileName, bytes: Array(text.utf8))), as: UTF8.self)
  }

  /// Returns the bytes of a model file in canonical layout: UTF-8 without a byte order mark, with LF line ends.
  package static func format(_ source: SourceText) throws(ModelError) -> [UInt8] {
    let tree = try ModelFile.tree(of: source)
    var reader = LayoutReader(source.bytes, tree)
    return Array(LayoutWriter.text(of: reader.document()).utf8)
  }
}
