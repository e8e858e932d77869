extension JSON {
  /// Parses a whole JSON text (RFC 8259). Duplicate keys are errors.
  package init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    self = try LentBytes.with(bytes) { (bytes) throws(JSONSyntaxError) in try JSONBuilder.json(bytes) }
  }
}
