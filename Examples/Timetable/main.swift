// Timetable: ownership. Times have no identity: an update replaces and deletes the old times of a course. Deleting a course
// deletes its times. Unknown identifiers are rejected.
//
//     swift run TimetableExample

import Foundation
import Graft

let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/Timetable.json", relativeTo: package),
  classes: [Course.self, CourseTime.self, Room.self, Lecturer.self])
let context = ManagedObjectContext(model: model)

func payload(_ name: String) -> URL { URL(filePath: "Examples/Payloads/\(name)", relativeTo: package) }

func show(_ course: Course) {
  print("\(course.title ?? "?"), by \(course.lecturer?.name ?? "?")")
  for time in course.times {
    let room = time.room?.number ?? "no room yet"
    print("  day \(time.weekday ?? 0) at \(time.startsAt ?? "?"), \(room), weeks \(time.weeks ?? [])")
  }
}

// The second course refers to its lecturer by identifier, and the third one describes her.
let courses = try objects(Course.self, fromJSON: payload("timetable.json"), in: context)
courses.forEach(show)
print("Dr. Lindqvist teaches", courses[1].lecturer?.courses.compactMap(\.title) ?? [])

// Two courses share a room that only one of them describes. The inverse leads from the room back to the courses.
let room = try context.find(Room.self, id: "A 1.04")
print("A 1.04 has \(room?.seats ?? 0) seats and sees", room?.times.compactMap(\.course?.title) ?? [])

// The update lists one time for the first course, which replaces both. The old times report that they are deleted.
let old = courses[0].times
try objects(Course.self, fromJSON: payload("timetable-update.json"), in: context)
show(courses[0])
try print("The old times are deleted:", old.map(\.isDeleted), "- times in all:", context.count(CourseTime.self))

// An unknown lecturer is an error, because the model declares "unresolvedRule": "deny". Nothing is imported.
do {
  try objects(Course.self, fromJSON: payload("Faulty/unknown-identifier.json"), in: context)
} catch {
  print(DiagnosticRenderer().render(error.diagnostics))
}

// Deleting a course deletes its times and their links to the room.
try context.delete(courses[0])
print("Deleted", context.changes.deleted, "- A 1.04 now sees", room?.times.compactMap(\.course?.title) ?? [])

// Until the next commit or import, all of this can be rolled back.
context.rollBack()
try print("Rolled back:", courses[0].isDeleted ? "no" : "yes", "- times in all:", context.count(CourseTime.self))

// The objects that a course owns are written inside it.
print(try jsonString(from: courses[0], options: ExportOptions(omitsNil: true, indents: true)))
