import Graft

final class Course: ManagedObject {
  var title: String? { self["title"] }
  var isOpen: Bool? {
    get { self["isOpen"] }
    set { self["isOpen"] = newValue }
  }
  var lecturer: Lecturer? {
    get { self["lecturer"] }
    set { self["lecturer"] = newValue }
  }
  /// Owned: the times are inserted and deleted with their course.
  var times: [CourseTime] {
    get { self["times"] }
    set { self["times"] = newValue }
  }
}

final class CourseTime: ManagedObject {
  var weekday: Int? {
    get { self["weekday"] }
    set { self["weekday"] = newValue }
  }
  var startsAt: String? { self["startsAt"] }
  /// An attribute of type `json` that always holds integers.
  var weeks: [Int]? {
    get { self["weeks"] }
    set { self["weeks"] = newValue }
  }
  var course: Course? { self["course"] }
  var room: Room? {
    get { self["room"] }
    set { self["room"] = newValue }
  }
}

final class Room: ManagedObject {
  var number: String? { self["number"] }
  var seats: Int? { self["seats"] }
  var times: RelatedObjects<CourseTime> { self["times"] }
}

final class Lecturer: ManagedObject {
  var name: String? { self["name"] }
  var courses: RelatedObjects<Course> { self["courses"] }
}
