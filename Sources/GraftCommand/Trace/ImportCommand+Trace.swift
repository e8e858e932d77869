import Graft
import GraftTools

/// The objects that `graft import --trace` follows.
extension ImportCommand {
  /// `Hero(101)`: an entity, and an identity.
  struct ObjectName {
    let entityName: String
    let identity: String

    init(_ word: String) throws(Failure) {
      guard let open = word.utf8.firstIndex(of: UInt8(ascii: "(")), open > word.startIndex, word.hasSuffix(")"),
        word.index(after: open) < word.index(before: word.endIndex)
      else {
        throw .usage("expected '--trace' ENTITY(IDENTITY), such as '--trace \"Hero(101)\"', found '\(word)'")
      }
      entityName = String(word[..<open])
      identity = String(word[word.index(after: open)...].dropLast())
    }
  }

  static func objectNames(_ words: [String]) throws(Failure) -> [ObjectName] {
    var names: [ObjectName] = []
    for word in words { names.append(try ObjectName(word)) }
    return names
  }

  /// Creates the requested traces.
  static func traces(_ names: [ObjectName], _ model: ManagedObjectModel) throws(Failure) -> [ImportTrace] {
    var traces: [ImportTrace] = []
    for name in names {
      try check(name.entityName, model)
      do throws(ImportTrace.NameError) {
        traces.append(try ImportTrace(name.entityName, name.identity, in: model))
      } catch {
        throw .usage("'\(name.entityName)(\(name.identity))' cannot be traced: \(error.message)")
      }
    }
    return traces
  }
}
