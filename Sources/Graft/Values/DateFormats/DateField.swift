/// One field of a pattern, read and written without `DateFormatter`.
enum DateField: Hashable, Sendable {
  case literal([UInt8])
  case year, month, day, hour, hour12, minute, second
  /// A number with one or two digits, such as `d`.
  indirect case short(DateField)
  /// The digits of the fraction of a second, at most six.
  case fraction(Int)
  case monthName, shortMonthName, weekdayName, shortWeekdayName, halfDay
  /// `+0000`. As with `DateFormatter`, `Z` is read only if `isZ` is true.
  case offset(hasColon: Bool, isZ: Bool)

  /// Whether the field is written in digits. A number of variable length directly before it would have no clear end.
  var isNumber: Bool {
    switch self {
    case .year, .month, .day, .hour, .hour12, .minute, .second, .short, .fraction: true
    default: false
    }
  }

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ].map { Array($0.utf8) }
  static let shortMonths = months.map { Array($0.prefix(3)) }
  static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    .map { Array($0.utf8) }
  static let shortWeekdays = weekdays.map { Array($0.prefix(3)) }
  static let halfDays = ["AM", "PM"].map { Array($0.utf8) }

  /// Returns the fields of a pattern, or nil if a field is unknown here, occurs twice, or needs a field that the pattern lacks.
  static func fields(of items: [DatePattern.Item]) -> [DateField]? {
    var fields: [DateField] = []
    var seen: Set<String> = []
    for item in items {
      switch item {
      case .literal(let text): fields.append(.literal(Array(text.utf8)))
      case .field(let letter, let count):
        guard let field = DateField(letter, count), seen.insert(field.part).inserted else { return nil }
        if case .short? = fields.last, field.isNumber { return nil }
        fields.append(field)
      }
    }
    if seen.contains("weekday"), !seen.isSuperset(of: ["year", "month", "day"]) { return nil }
    if seen.contains("halfDay") != fields.contains(where: { $0 == .hour12 || $0 == .short(.hour12) }) { return nil }
    return fields
  }

  private init?(_ letter: Character, _ count: Int) {
    switch (letter, count) {
    case ("y", 4): self = .year
    case ("M", 1): self = .short(.month)
    case ("M", 2): self = .month
    case ("M", 3): self = .shortMonthName
    case ("M", 4): self = .monthName
    case ("d", 1): self = .short(.day)
    case ("d", 2): self = .day
    case ("E", 1...3): self = .shortWeekdayName
    case ("E", 4): self = .weekdayName
    case ("H", 1): self = .short(.hour)
    case ("H", 2): self = .hour
    case ("h", 1): self = .short(.hour12)
    case ("h", 2): self = .hour12
    case ("m", 2): self = .minute
    case ("s", 2): self = .second
    case ("S", 1...6): self = .fraction(count)
    case ("a", 1): self = .halfDay
    case ("Z", 1...3), ("x", 2): self = .offset(hasColon: false, isZ: false)
    case ("x", 3): self = .offset(hasColon: true, isZ: false)
    case ("X", 2): self = .offset(hasColon: false, isZ: true)
    case ("Z", 5), ("X", 3): self = .offset(hasColon: true, isZ: true)
    default: return nil
    }
  }

  /// The part of a date that the field contains.
  private var part: String {
    switch self {
    case .literal: "literal"
    case .year: "year"
    case .month, .shortMonthName, .monthName: "month"
    case .day: "day"
    case .hour, .hour12: "hour"
    case .minute: "minute"
    case .second: "second"
    case .short(let field): field.part
    case .fraction: "fraction"
    case .weekdayName, .shortWeekdayName: "weekday"
    case .halfDay: "halfDay"
    case .offset: "offset"
    }
  }
}
