import Foundation
import Graft

/// The laws that hold for every import.
enum ImportLaws {
  /// Checks that each error has a location in the text, and that messages contain no control characters.
  static func check(_ error: ImportError, _ model: ManagedObjectModel, length: Int) throws(BrokenLaw) {
    // The path of an error can contain a sensitive value (M29).
    let hidesPaths = model.entities.contains { $0.attributes.contains(where: \.isSensitive) }
    try expect((1...20).contains(error.diagnostics.count), "an import has \(error.diagnostics.count) errors")
    var last = 0
    for diagnostic in error.diagnostics {
      guard let location = diagnostic.location, (0...length).contains(location.offset),
        diagnostic.path?.hasPrefix("$") ?? hidesPaths
      else { throw BrokenLaw("an error has no location inside the text: \(diagnostic)") }
      try expect(location.offset >= last, "an error is not in the order of the text: \(diagnostic)")
      last = location.offset
      try check(message: DiagnosticRenderer().render(diagnostic))
    }
  }

  static func check(message: String) throws(BrokenLaw) {
    try expect(
      !message.utf8.contains { $0 < 0x20 && $0 != 0x0A },
      "a message has a control character: \(message.debugDescription)")
  }

  static func checkInvariants(_ context: ManagedObjectContext) throws(BrokenLaw) {
    let problems = context.checkInvariants()
    try expect(problems.isEmpty, "the graph is inconsistent: \(problems)")
  }

  static func expectSame(_ before: [UInt8], _ after: [UInt8], _ law: String) throws(BrokenLaw) {
    try expect(
      before == after,
      "\(law)\n\(String(decoding: before, as: UTF8.self))\n---\n\(String(decoding: after, as: UTF8.self))")
  }

  /// Whether every object of a model has an identity, so importing a payload again finds the objects that it inserted.
  static func isIdentified(_ model: ManagedObjectModel) -> Bool {
    let entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
    func isIdentified(_ entity: EntityDescription) -> Bool {
      guard entity.identityAttributes.isEmpty else {
        return entity.attributes.allSatisfy { !$0.isOptional || !entity.identityAttributes.contains($0.name) }
      }
      return entity.parentName.flatMap { entities[$0] }.map(isIdentified) ?? false
    }
    return model.entities.allSatisfy(isIdentified)
  }

  /// Whether importing a payload of a model twice has the same effect as importing it once. This is not the case if the order of links
  /// depends on which link was first, or if the end of an import deletes objects that the payload mentions.
  static func isIdempotent(_ model: ManagedObjectModel) -> Bool {
    isIdentified(model)
      && model.entities.allSatisfy { entity in
        entity.deletedWhen == nil && entity.modificationAttribute == nil && entity.alternateIdentities.isEmpty
          && entity.relationships.allSatisfy {
            !$0.deletesOrphans && !($0.isOrdered && ($0.mergeRule == .union || $0.inverseName != nil))
          }
      }
  }
}
