import Graft
import GraftTestSupport
import Testing

extension ContextSource {
  /// Expects contexts that have merged to have the same graph as a new context, and the store to be undamaged.
  func expectAgreement(
    of contexts: ManagedObjectContext..., sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    for context in contexts {
      try context.merge()
      #expect(context.dumpText == (try self.context()).dumpText, sourceLocation: sourceLocation)
      #expect(context.checkInvariants() == [], sourceLocation: sourceLocation)
    }
    try commitParents()
    #expect(try faults() == [], sourceLocation: sourceLocation)
  }
}
