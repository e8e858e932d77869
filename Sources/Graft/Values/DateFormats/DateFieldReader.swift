/// Reads the text of a date field by field. As with `DateFormatter`, parts that the pattern lacks are taken from 2000-01-01 00:00.
struct DateFieldReader {
  private let text: LentBytes
  private var index = 0
  private var year = 2000
  private var month = 1
  private var day = 1
  private var hour = 0
  private var minute = 0
  private var second = 0
  private var fraction = 0
  private var isAfternoon = false
  private var weekday: Int?
  private var offset = 0

  init(_ text: LentBytes) { self.text = text }

  /// Returns the date in microseconds since 1970, or nil if the whole text is not a date.
  mutating func microseconds(_ fields: [DateField]) -> Int64? {
    for field in fields { guard read(field) else { return nil } }
    guard index == text.count, (1...12).contains(month), hour < 24, minute < 60, second < 60, day >= 1,
      day <= CivilDate.days(inMonth: month, of: year)
    else { return nil }
    let days = CivilDate.days(year, month, day)
    if let weekday, weekday != CivilDate.weekday(ofDay: days) { return nil }
    let seconds = days * 86_400 + (hour + (isAfternoon ? 12 : 0)) * 3_600 + minute * 60 + second - offset
    let microseconds = Int64(seconds) * 1_000_000 + Int64(fraction)
    return DateText.range.contains(microseconds) ? microseconds : nil
  }

  private mutating func read(_ field: DateField) -> Bool {
    switch field {
    case .literal(let bytes): return skip(bytes)
    case .year: return number(4).map { year = $0 } != nil
    case .month: return number(2).map { month = $0 } != nil
    case .day: return number(2).map { day = $0 } != nil
    case .hour: return number(2).map { hour = $0 } != nil
    case .minute: return number(2).map { minute = $0 } != nil
    case .second: return number(2).map { second = $0 } != nil
    case .hour12: return number(2).map { hour = $0 } != nil && toHalfDay()
    case .short(let field): return short(field)
    case .fraction(let digits):
      guard let value = number(digits) else { return false }
      fraction = value
      for _ in digits..<6 { fraction *= 10 }
      return true
    case .shortMonthName: return name(DateField.shortMonths).map { month = $0 + 1 } != nil
    case .monthName: return name(DateField.months).map { month = $0 + 1 } != nil
    case .shortWeekdayName: return name(DateField.shortWeekdays).map { weekday = $0 } != nil
    case .weekdayName: return name(DateField.weekdays).map { weekday = $0 } != nil
    case .halfDay: return name(DateField.halfDays).map { isAfternoon = $0 == 1 } != nil
    case .offset(let hasColon, let isZ): return offset(hasColon, isZ)
    }
  }

  /// Reads a number without a leading zero.
  private mutating func short(_ field: DateField) -> Bool {
    guard index < text.count, text[index] != UInt8(ascii: "0") || field == .hour else { return false }
    let isTwo = index + 1 < text.count && NumberText.isDigit(text[index + 1])
    if isTwo, text[index] == UInt8(ascii: "0") { return false }
    let digits = isTwo ? 2 : 1
    switch field {
    case .month: return number(digits).map { month = $0 } != nil
    case .day: return number(digits).map { day = $0 } != nil
    case .hour12: return number(digits).map { hour = $0 } != nil && toHalfDay()
    default: return number(digits).map { hour = $0 } != nil
    }
  }

  /// Converts an hour of a 12-hour clock: twelve becomes 0.
  private mutating func toHalfDay() -> Bool {
    guard (1...12).contains(hour) else { return false }
    hour %= 12
    return true
  }

  private mutating func number(_ digits: Int) -> Int? {
    guard text.count - index >= digits else { return nil }
    var value = 0
    for _ in 0..<digits {
      guard NumberText.isDigit(text[index]) else { return nil }
      value = value * 10 + Int(text[index] &- 0x30)
      index += 1
    }
    return value
  }

  private mutating func skip(_ bytes: [UInt8]) -> Bool {
    guard text[index...].starts(with: bytes) else { return false }
    index += bytes.count
    return true
  }

  private mutating func name(_ names: [[UInt8]]) -> Int? {
    names.firstIndex { skip($0) }
  }

  private mutating func offset(_ hasColon: Bool, _ isZ: Bool) -> Bool {
    guard index < text.count else { return false }
    let sign = text[index]
    index += 1
    if isZ, sign == UInt8(ascii: "Z") { return true }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
    guard let hours = number(2), !hasColon || skip([UInt8(ascii: ":")]), let minutes = number(2), hours < 24,
      minutes < 60
    else { return false }
    offset = (hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    return true
  }
}
