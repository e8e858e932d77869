import Foundation
import Graft
import Testing

/// The timetable example with Codable: three lines replace the code that Core Data requires.
@Suite("Timetable with Codable") struct TimetableCodingTests {
  final class Course: ManagedObject, Decodable {
    var title: String? { self["title"] }
    var times: [CourseTime] { self["times"] }
    var lecturer: ManagedObject? { self["lecturer"] }
  }

  final class CourseTime: ManagedObject, Decodable {
    var weekday: Int? { self["weekday"] }
    var course: Course? { self["course"] }
  }

  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func context() throws -> ManagedObjectContext {
    ManagedObjectContext(
      model: try ManagedObjectModel(
        contentsOf: package.appendingPathComponent("Models/Timetable.json"), classes: [Course.self, CourseTime.self]))
  }

  private static func payload(_ name: String) throws -> Data {
    try Data(contentsOf: package.appendingPathComponent("Examples/Payloads/\(name)"))
  }

  @Test(
    "C4: courses and times decode with inverses, shared rooms, and a lecturer mentioned before being described")
  func threeLines() throws {
    let context = try Self.context()
    let data = try Self.payload("timetable.json")

    let decoder = JSONDecoder()
    decoder.userInfo[.managedObjectContext] = context
    let courses = try decoder.decode(ManagedObjectsUpsert<Course>.self, from: data).objects

    #expect(courses.map(\.title) == ["Linear algebra", "Compilers", "Optics, by arrangement"])
    #expect(courses.map { $0.times.map(\.weekday) } == [[1, 3], [2, 5], []])
    #expect(courses[0].times.allSatisfy { $0.course === courses[0] })
    #expect(courses[1].lecturer == courses[2].lecturer && courses[1].lecturer?["name"] == "Dr. Lindqvist")
  }

  @Test("C4: the times in an update replace the times of the course, as in an import")
  func update() throws {
    let context = try Self.context()
    try objects(Course.self, fromJSON: Self.payload("timetable.json"), in: context)
    let old = try #require(try context.find(Course.self, identity: "MA-101")?.times)
    let course = try context.decode([Course].self, from: Self.payload("timetable-update.json"))[0]
    #expect(course.times.map(\.weekday) == [4])
    #expect(old.map(\.isDeleted) == [true, true])
    #expect(context.checkInvariants() == [])
  }

  @Test("C4: courses encode to plain values, and to the original JSON")
  func plain() throws {
    struct Row: Decodable, Equatable {
      struct Time: Decodable, Equatable {
        var weekday: Int
        var from: String
      }
      var code: String
      var times: [Time]
    }
    let context = try Self.context()
    let courses = try objects(Course.self, fromJSON: Self.payload("timetable.json"), in: context)
    #expect(
      try courses[0].decoded(as: Row.self)
        == Row(code: "MA-101", times: [.init(weekday: 1, from: "08:15"), .init(weekday: 3, from: "10:00")]))
    let encoded = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(courses))
    #expect(encoded == (try JSON(foundation: json(from: courses))))
  }
}
