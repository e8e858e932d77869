import GraftTestSupport
import Testing

@testable import Graft

// Structural faults are in Tests/Fixtures/bad-models/shape; combinations of several faults are in several.
@Suite("The structure of model files") struct ModelFileShapeTests {
  @Test("M9: keys are equal if their characters are equal, regardless of escapes")
  func escapedKey() {
    #expect(
      findings(#"{"entities": {1️⃣"A": {}, 2️⃣"\u0041": {}}}"#) == [
        "2️⃣ error: the key 'A' is given twice", "  1️⃣ note: it is given here first",
      ])
  }

  @Test(
    "D12: the error for an unknown key suggests the most similar key, or lists all keys; userInfo can contain any keys")
  func unknownKeys() {
    #expect(
      findings(#"{"entities": {"A": {1️⃣"parnt": "A", 2️⃣"colour": "red", "userInfo": {"colour": {"parnt": 1}}}}}"#) == [
        "1️⃣ error: unknown key 'parnt' in entity 'A'; did you mean 'parent'?",
        "2️⃣ error: unknown key 'colour' in entity 'A'; expected one of 'doc', 'renamedFrom', 'parent', 'abstract', 'class', "
          + "'identityAttributes', 'alternateIdentities', 'entityMapperName', 'entityMapper', 'JSONDictionaryTransformerName', "
          + "'modificationAttribute', 'deletedWhen', 'indexes', 'attributes', 'relationships', 'userInfo'",
      ])
  }

  @Test("D12: 'deleteOrphans' without an inverse causes an error")
  func orphans() {
    #expect(
      findings(entities: #""A": {"relationships": {"b": {"destination": "A", "deleteOrphans": 1️⃣true}}}"#) == [
        "1️⃣ error: 'deleteOrphans' of 'A.b' requires an 'inverse', which shows whether an object still has an owner"
      ])
  }

  @Test("M9: only the first occurrence of a repeated key is read")
  func duplicateKey() {
    #expect(
      findings(#"{1️⃣"entities": {}, 2️⃣"entities": {"A": 5}}"#) == [
        "2️⃣ error: the key 'entities' is given twice", "  1️⃣ note: it is given here first",
      ])
    #expect(
      findings(#"{"entities": {"A": {"attributes": {"n": {"type": "json", "default": {1️⃣"b": 1, 2️⃣"b": 3}}}}}}"#) == [
        "2️⃣ error: the key 'b' is given twice", "  1️⃣ note: it is given here first",
      ])
  }

  @Test("M9: an attribute with an invalid type has no further findings")
  func unreadableType() {
    #expect(
      findings(#"{"entities": {"A": {"attributes": {"n": {"type": 1️⃣"int64", "default": "x", "minLength": 3}}}}}"#) == [
        "1️⃣ error: unknown 'type' 'int64' of attribute 'A.n'; did you mean 'integer64'?"
      ])
  }

  @Test("M7: other aliases are read even if one alias is invalid")
  func aliases() {
    #expect(
      findings(
        #"{"entities": {"A": {"attributes": {"n": {"type": "string", "JSONKeyPath": "a", "JSONKeyPathAliases": [1️⃣"b..c", 2️⃣"a"]}}}}}"#
      ) == [
        "1️⃣ error: malformed key path 'b..c' of attribute 'A.n': it has an empty key; separate keys with dots, as in publisher.name",
        "2️⃣ error: 'A.n' has the key path 'a' twice", "  1:75: note: the key path of 'A.n'",
      ])
  }

  @Test("M9: if no name is similar, the error lists up to sixteen names")
  func listedNames() {
    let entities = { (count: Int) in (1...count).map { #", "E\#($0)": {}"# }.joined() }
    let parent = { (count: Int) in
      findings(#"{"entities": {"A": {"parent": 1️⃣"Nobody"}\#(entities(count))}}"#).joined()
    }
    #expect(parent(2) == "1️⃣ error: the parent 'Nobody' of entity 'A' is not an entity; expected one of 'E1', 'E2'")
    #expect(parent(16).hasSuffix(", 'E16'"))
    #expect(parent(17) == "1️⃣ error: the parent 'Nobody' of entity 'A' is not an entity")
  }
}
