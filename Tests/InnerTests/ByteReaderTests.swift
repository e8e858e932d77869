import Testing

@testable import Graft

@Suite("Reading bytes of a snapshot file") struct ByteReaderTests {
  @Test("Nothing is read after the last byte")
  func end() {
    var reader = ByteReader([7, 0, 0, 0, 0, 0, 0, 0, 9], from: 0)
    #expect(reader.word() == 7 && !reader.isAtEnd && reader.left == 1)
    #expect(reader.word() == nil && reader.byte() == 9)
    #expect(reader.isAtEnd && reader.byte() == nil && reader.integer() == nil)
  }
}
