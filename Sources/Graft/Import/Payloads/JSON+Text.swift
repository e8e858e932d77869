extension JSON {
  /// Reads one JSON value (RFC 8259).
  ///
  ///     let settings = try JSON(text: #"{"retries": 3}"#)
  ///     settings["retries"]                                    // .number(3)
  ///
  /// Members keep their order, and numbers keep their digits. The cost is linear in the length of the text.
  ///
  /// - Parameters:
  ///   - text: the value, optionally surrounded by white space.
  ///   - sourceName: the name of the text in messages, usually a file name.
  /// - Throws: an ``ImportError`` with the line and the column of the error if the text is not JSON, if an object has two
  ///   members with the same key, or if values are nested more than 1,024 levels deep.
  public init(text: String, sourceName: String = "<text>") throws(ImportError) {
    let options = ImportOptions(sourceName: sourceName)
    self = try LentBytes.with(text) { bytes throws(ImportError) in
      do throws(JSONSyntaxError) {
        return try JSONBuilder.json(bytes)
      } catch {
        let shelf = PieceShelf()
        _ = shelf.add(PayloadSource(bytes, options), nil)
        throw FaultReporter(shelf: shelf, options: options).error(error, after: FaultList(limit: 1), cause: nil)
      }
    }
  }
}
