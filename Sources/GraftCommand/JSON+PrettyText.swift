import Graft

extension JSON {
  /// The value as indented text with a trailing newline.
  var prettyText: String {
    var bytes: [UInt8] = []
    JSONWriter(pretty: true).append(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }
}
