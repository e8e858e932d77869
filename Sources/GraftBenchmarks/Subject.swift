import Foundation

/// What the goals ask of the library. `GraftSubject.swift` answers, and is the only file that calls it.
protocol Subject: Sendable {
  func makeModel(_ text: String) throws -> any SubjectModel
}

protocol SubjectModel {
  func makeGraph() -> any SubjectGraph
}

protocol SubjectGraph: AnyObject {
  /// Bytes to uniqued, linked objects, without a handle for any of them.
  func merge(_ bytes: [UInt8], ofEntity entity: String) throws
  /// The same from what `JSONSerialization` gives.
  func merge(_ dictionaries: [Any], ofEntity entity: String) throws
  func count(ofEntity entity: String) -> Int

  /// Fetches the objects of an entity, in the order in which they came, to be exported.
  func prepareExport(of entity: String) throws
  func export() throws -> Data

  /// Fetches all heroes as instances of a generated class, to be read, and says how many there are.
  func prepareReads() throws -> Int
  /// Reads an integer property of each of them; the sum.
  func readIntegers() -> Int
  /// Reads a text property of each of them; the sum of the lengths in UTF-8.
  func readStrings() -> Int
}
