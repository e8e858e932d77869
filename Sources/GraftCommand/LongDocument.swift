import Foundation
import GraftTools

/// A document for standard output. Its beginning is held until it is known to be long.
final class LongDocument {
  private let streams: Streams
  private var held: [UInt8] = []
  private var last: UInt8?
  /// Whether something has been written.
  private(set) var hasBegun = false

  private static let mostHeld = 1 << 20

  init(_ streams: Streams) { self.streams = streams }

  func add(_ piece: any ContiguousBytes) throws(Failure) {
    piece.withUnsafeBytes { held += $0 }
    last = held.last ?? last
    guard hasBegun || held.count > LongDocument.mostHeld else { return }
    hasBegun = true
    try streams.writeOutput(held)
    held.removeAll(keepingCapacity: true)
  }

  /// Ends the document with a newline, unless it is empty.
  ///
  /// - Returns: the whole document if nothing has been written.
  func end() throws(Failure) -> [UInt8]? {
    if let last, last != UInt8(ascii: "\n") { held.append(UInt8(ascii: "\n")) }
    if !hasBegun { return held }
    try streams.writeOutput(held)
    return nil
  }
}
