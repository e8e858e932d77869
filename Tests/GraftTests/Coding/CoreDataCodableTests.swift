import Foundation
import Graft
import GraftTestSupport
import Testing

// Code that users of CoreDataCodable write: classes that set their properties in code, and the key that identifies an object. To port such
// a file, only its imports and the superclass change; the lines below are the same as with CoreDataCodable.

enum Staff {
  class Employee: ManagedObject {
    var firstName: String? {
      get { self["firstName"] }
      set { self["firstName"] = newValue }
    }
    var lastName: String? {
      get { self["lastName"] }
      set { self["lastName"] = newValue }
    }
    var level: Int? {
      get { self["level"] }
      set { self["level"] = newValue }
    }
    var manager: Employee? {
      get { self["manager"] }
      set { self["manager"] = newValue }
    }
  }

  static func context(_ identity: String = #""identityAttributes": "lastName","#) throws -> ManagedObjectContext {
    try Fixture.context(
      #"""
      "Employee": {
        \#(identity)
        "attributes": {
          "firstName": {"type": "string", "optional": true}, "lastName": {"type": "string", "optional": true},
          "level": {"type": "integer16", "optional": true}
        },
        "relationships": {"manager": {"destination": "Employee"}}
      }
      """#, classes: [Employee.self])
  }
}

extension Staff.Employee: DecodableManagedObject {
  public enum CodingKeys: String, CodingKey {
    case firstName
    case lastName
    case level
    case manager
  }

  public func setValues(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    firstName = try container.decode(String.self, forKey: .firstName)
    lastName = try container.decode(String.self, forKey: .lastName)
    level = try container.decodeIfPresent(Int.self, forKey: .level)
    manager = try container.decodeIfPresent(ManagedObjectUpsert<Staff.Employee>.self, forKey: .manager)?.object
  }
}

extension Staff.Employee: FetchableManagedObject {
  public typealias FetchableCodingKeys = CodingKeys
  public typealias Identifier = String
  public static var identifierKey: Staff.Employee.CodingKeys {
    return .lastName
  }
}

@Suite("Code ported from CoreDataCodable") struct CoreDataCodableTests {
  typealias Employee = Staff.Employee

  private let json = Data(#"{"firstName": "Ada", "lastName": "Okafor"}"#.utf8)

  @Test("C4: setValues(from:) sets the properties of a newly inserted object")
  func inserts() throws {
    let context = try Staff.context("")
    let decoder = JSONDecoder()
    decoder.userInfo[.managedObjectContext] = context
    let employee = try decoder.decode(Employee.self, from: json)
    #expect(employee.firstName == "Ada" && employee.lastName == "Okafor")
    #expect(context.changes.inserted == [employee.objectID])
    // As in CoreDataCodable, decoding without an upsert always inserts a new object.
    _ = try decoder.decode([Employee].self, from: json.wrapped)
    #expect(try context.count(Employee.self) == 2)
    try context.commit()
    #expect(!context.hasChanges)
  }

  @Test("C4: an upsert finds the object by its identifier key, even if the model does not declare an identity")
  func upserts() throws {
    for context in [try Staff.context(), try Staff.context("")] {
      let existing = context.insert(Employee.self)
      existing.lastName = "Okafor"
      try context.commit()
      let decoder = JSONDecoder()
      decoder.userInfo[.managedObjectContext] = context
      let upsert = try decoder.decode(ManagedObjectUpsert<Employee>.self, from: json)
      let employee = upsert.object
      #expect(employee === existing && existing.firstName == "Ada")
      let text = #"[{"firstName": "A", "lastName": "Okafor"}, {"firstName": "B", "lastName": "Lindqvist"}]"#
      let many = try decoder.decode(ManagedObjectsUpsert<Employee>.self, from: Data(text.utf8)).objects
      #expect(
        context.changes.updated.map(\.id) == [existing.objectID] && context.changes.inserted == [many[1].objectID])
      #expect(many.map(\.firstName) == ["A", "B"])
    }
  }

  @Test("C4: fetch(from:) finds the object that the decoder's identifier refers to")
  func fetches() throws {
    struct Wrapper: Decodable {
      let value: Employee?
      init(from decoder: any Decoder) throws { value = try Employee.fetch(from: decoder) }
    }
    let context = try Staff.context()
    let known = context.insert(Employee.self)
    known.lastName = "123"
    let decoder = JSONDecoder(context)
    #expect(try decoder.decode(Wrapper.self, from: Data(#"{"lastName": "123"}"#.utf8)).value === known)
    #expect(try decoder.decode(Wrapper.self, from: Data(#"{"lastName": "12"}"#.utf8)).value == nil)
    #expect(
      complaint { _ = try decoder.decode(Wrapper.self, from: Data(#"{"lastName": 123}"#.utf8)) }.hasPrefix(
        "[lastName] "))
  }

  @Test("C4: hand-written relationships decode as nested upserts")
  func nested() throws {
    let context = try Staff.context()
    let text = #"""
      [{"firstName": "Ada", "lastName": "Okafor", "manager": {"firstName": "Eva", "lastName": "Lindqvist"}},
       {"firstName": "Eve", "lastName": "Lindqvist"}]
      """#
    let staff = try JSONDecoder(context).decode(ManagedObjectsUpsert<Employee>.self, from: Data(text.utf8)).objects
    #expect(staff[0].manager === staff[1])
    #expect(staff[1].firstName == "Eve")
    #expect(try context.count(Employee.self) == 2)
  }

  @Test("C4: a value that a setter refuses causes a decoding error, and a failed decoding leaves no trace (I10)")
  func failures() throws {
    let context = try Staff.context()
    try context.load(#"[{"lastName": "Okafor", "firstName": "Ada"}]"#, "Employee")
    let before = context.dumpText
    let decoder = JSONDecoder(context)
    // Decoding inserts a new object, so it cannot use the identity of an existing object.
    #expect(
      complaint { _ = try decoder.decode(Employee.self, from: json) }
        == "[] there is already another object 'Employee(Okafor)'")
    let tooHigh = #"[{"firstName": "x", "lastName": "Okafor"}, {"firstName": "y", "lastName": "z", "level": 70000}]"#
    #expect(
      complaint { _ = try decoder.decode(ManagedObjectsUpsert<Employee>.self, from: Data(tooHigh.utf8)) }
        == "[Index 1] 'Employee.level' is declared integer16: it cannot hold the number 70000")
    let incomplete = #"{"lastName": "Okafor", "level": 2}"#
    #expect(
      complaint { _ = try decoder.decode(ManagedObjectUpsert<Employee>.self, from: Data(incomplete.utf8)) }
        .hasPrefix("[] "))
    #expect(context.dumpText == before)
    #expect(!context.hasChanges && context.checkInvariants() == [])
  }

  @Test("C4: hand-written code also reports a missing context in userInfo")
  func missingContext() {
    let words =
      "the decoder has no context to decode managed objects into: set 'decoder.userInfo[.managedObjectContext]'"
    #expect(complaint { _ = try JSONDecoder().decode(Employee.self, from: json) } == "[] " + words)
    #expect(complaint { _ = try JSONDecoder().decode(ManagedObjectUpsert<Employee>.self, from: json) } == "[] " + words)
  }

  @Test("C4: the userInfo key of the context has its documented name, and the context can be read back")
  func key() throws {
    let context = try Staff.context()
    let decoder = JSONDecoder()
    decoder.userInfo[.managedObjectContext] = context
    #expect(CodingUserInfoKey.managedObjectContext.rawValue == "managedObjectContext")
    #expect(decoder.userInfo[.managedObjectContext] as? ManagedObjectContext === context)
    let typed: ManagedObjectContext? = decoder.userInfo[.managedObjectContext]
    #expect(typed === context)
    decoder.userInfo[.managedObjectContext] = nil
    #expect(decoder.userInfo.isEmpty)
  }
}

extension Data {
  fileprivate var wrapped: Data { Data("[".utf8) + self + Data("]".utf8) }
}
