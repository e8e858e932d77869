import Graft

extension JSON {
  /// The value as text for people and programs alike, with a line end.
  var prettyText: String {
    var bytes: [UInt8] = []
    JSONWriter(pretty: true).append(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }
}
