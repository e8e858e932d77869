import Foundation
import Graft
import GraftTestSupport
import Testing

/// Classes with their own `init(from:)` and `encode(to:)`, as is usual with Core Data.
@Suite("Hand-written coding") struct HandWrittenCodingTests {
  /// A course class as in tutorials: every member is decoded and encoded in code.
  class Course: ManagedObject, Decodable {
    enum CodingKeys: String, CodingKey { case code, title, times }

    var code: String? {
      get { self["code"] }
      set { self["code"] = newValue }
    }
    var title: String? {
      get { self["title"] }
      set { self["title"] = newValue }
    }
    var times: [CourseTime] {
      get { self["times"] }
      set { self["times"] = newValue }
    }

    required convenience init(from decoder: any Decoder) throws {
      guard let context = decoder.userInfo[.managedObjectContext] as? ManagedObjectContext else {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no context"))
      }
      self.init(context: context)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      code = try container.decode(String.self, forKey: .code)
      title = try container.decode(String.self, forKey: .title)
      times = try container.decode([CourseTime].self, forKey: .times)
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(code, forKey: .code)
      try container.encode(times, forKey: .times)
    }
  }

  final class CourseTime: ManagedObject, Decodable {
    enum CodingKeys: String, CodingKey { case weekday }

    var weekday: Int? {
      get { self["weekday"] }
      set { self["weekday"] = newValue }
    }
    var course: Course? { self["course"] }

    convenience init(from decoder: any Decoder) throws {
      self.init(context: try decoder.managedObjectContext())
      weekday = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .weekday)
    }
  }

  /// A subclass that extends its superclass's `init(from:)` and `encode(to:)`.
  final class Seminar: Course {
    var seats: Int? { self["seats"] }

    required convenience init(from decoder: any Decoder) throws {
      self.init(context: try decoder.managedObjectContext())
      self["seats"] = try decoder.container(keyedBy: DynamicKey.self).decode(Int.self, forKey: DynamicKey("seats"))
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: DynamicKey.self)
      try container.encode(seats, forKey: DynamicKey("seats"))
    }
  }

  struct DynamicKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private static func context() throws -> ManagedObjectContext {
    try Fixture.context(
      #"""
      "Course": {
        "identityAttributes": "code",
        "attributes": {"code": {"type": "string", "optional": true}, "title": {"type": "string", "optional": true}},
        "relationships": {"times": {"destination": "CourseTime", "toMany": true, "ordered": true, "inverse": "course"}}
      },
      "Seminar": {"parent": "Course", "attributes": {"seats": {"type": "integer16", "optional": true}}},
      "CourseTime": {
        "attributes": {"weekday": "integer16"},
        "relationships": {"course": {"destination": "Course", "inverse": "times", "JSONKeyPath": null}}
      }
      """#, classes: [Course.self, Seminar.self, CourseTime.self])
  }

  private static let text = #"{"code": "MA-101", "title": "Algebra", "times": [{"weekday": 1}, {"weekday": 3}]}"#

  @Test("C4: decoders call a hand-written init(from:), and relationships that it sets update their inverses")
  func decoding() throws {
    let context = try Self.context()
    let courses = try JSONDecoder(context).decode([Course].self, from: Data("[\(Self.text)]".utf8))
    #expect(courses[0].title == "Algebra")
    #expect(courses[0].times.map(\.weekday) == [1, 3])
    #expect(courses[0].times.allSatisfy { $0.course === courses[0] })
    #expect(try context.find(Course.self, identity: "MA-101") === courses[0])
    #expect(context.changes.inserted.count == 3)
    #expect(context.checkInvariants() == [])
  }

  @Test("C4: encoders call a hand-written encode(to:), even for a subclass and inside an array")
  func encoding() throws {
    let context = try Self.context()
    let course = try JSONDecoder(context).decode(Course.self, from: Data(Self.text.utf8))
    let seminar = try JSONDecoder(context).decode(Seminar.self, from: Data(#"{"seats": 12}"#.utf8))
    seminar.code = "SE-200"
    let objects: [ManagedObject] = [course, seminar]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(objects), as: UTF8.self)
        == #"[{"code":"MA-101","times":[{"weekday":1},{"weekday":3}]},{"code":"SE-200","seats":12,"times":[]}]"#)
  }

  @Test("C1: init(context:) inserts an object and returns the object's only handle")
  func initializer() throws {
    let context = try Self.context()
    let course = Course(context: context)
    course.code = "MA-101"
    #expect(try context.find(Course.self, identity: "MA-101") === course)
    let plain: Seminar = Seminar(context: context)
    #expect(Set(context.changes.inserted) == [course.objectID, plain.objectID])
  }

  @Test("C4: context.decode throws and changes nothing if a hand-written initializer sets a refused value")
  func refusals() throws {
    let context = try Self.context()
    try context.load(#"{"code": "MA-101", "title": "Algebra"}"#, "Course")
    let before = context.dumpText
    #expect(
      complaint { _ = try context.decode(Course.self, from: Data(Self.text.utf8)) }
        == "there is already another object 'Course(MA-101)'")
    #expect(
      complaint { _ = try context.decode(CourseTime.self, from: Data(#"{"weekday": 70000}"#.utf8)) }
        == "'CourseTime.weekday' is declared integer16: it cannot hold the number 70000")
    #expect(context.dumpText == before && !context.hasChanges)
  }
}
