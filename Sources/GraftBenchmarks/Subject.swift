import Foundation

/// The interface of the library for the goals. Only `GraftSubject.swift` implements it and calls the library.
protocol Subject: Sendable {
  func makeModel(_ text: String) throws -> any SubjectModel
}

protocol SubjectModel {
  func makeGraph() -> any SubjectGraph
}

protocol SubjectGraph: AnyObject {
  /// Converts bytes to uniqued, linked objects, without a handle for any of them.
  func merge(_ bytes: [UInt8], ofEntity entity: String) throws
  /// Imports the result of `JSONSerialization` in the same way.
  func merge(_ dictionaries: [Any], ofEntity entity: String) throws
  func count(ofEntity entity: String) throws -> Int

  /// Fetches an entity's objects in insertion order, for the export.
  func prepareExport(of entity: String) throws
  func export() throws -> Data
  func exportDictionaries() throws -> [Any]

  /// Fetches all heroes as instances of a generated class, and returns their number.
  func prepareReads() throws -> Int
  /// Reads an integer property of each hero, and returns the sum.
  func readIntegers() -> Int
  /// Reads a string property of each hero, and returns the sum of the lengths in UTF-8.
  func readStrings() -> Int
}
