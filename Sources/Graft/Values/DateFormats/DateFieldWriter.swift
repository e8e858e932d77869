/// Writes a date field by field, in UTC. Digits of the fraction that do not fit the pattern are cut off.
struct DateFieldWriter {
  private let days: Int
  private let date: (year: Int, month: Int, day: Int)
  private let seconds: Int
  private let fraction: Int

  init(_ microseconds: Int64) {
    func divide(_ value: Int, _ divisor: Int) -> (Int, Int) {
      let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
      return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
    let (all, fraction) = divide(Int(microseconds), 1_000_000)
    let (days, seconds) = divide(all, 86_400)
    self.days = days
    self.seconds = seconds
    self.fraction = fraction
    date = CivilDate.date(ofDay: days)
  }

  func text(_ fields: [DateField]) -> String {
    var bytes: [UInt8] = []
    for field in fields { append(field, &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(_ field: DateField, _ bytes: inout [UInt8]) {
    switch field {
    case .literal(let text): bytes += text
    case .short(let field): bytes += String(value(of: field)).utf8
    case .year:
      if date.year < 0 { bytes.append(UInt8(ascii: "-")) }
      number(abs(date.year), 4, &bytes)
    case .fraction(let digits):
      let all = String(1_000_000 + fraction).dropFirst()
      bytes += all.prefix(digits).utf8
    case .shortMonthName: bytes += DateField.shortMonths[date.month - 1]
    case .monthName: bytes += DateField.months[date.month - 1]
    case .shortWeekdayName: bytes += DateField.shortWeekdays[CivilDate.weekday(ofDay: days)]
    case .weekdayName: bytes += DateField.weekdays[CivilDate.weekday(ofDay: days)]
    case .halfDay: bytes += DateField.halfDays[seconds >= 43_200 ? 1 : 0]
    case .offset(let hasColon, let isZ): bytes += (isZ ? "Z" : hasColon ? "+00:00" : "+0000").utf8
    case .month, .day, .hour, .hour12, .minute, .second: number(value(of: field), 2, &bytes)
    }
  }

  private func value(of field: DateField) -> Int {
    switch field {
    case .month: date.month
    case .day: date.day
    case .hour: seconds / 3_600
    case .hour12: (seconds / 3_600 + 11) % 12 + 1
    case .minute: seconds / 60 % 60
    default: seconds % 60
    }
  }

  private func number(_ value: Int, _ digits: Int, _ bytes: inout [UInt8]) {
    let text = String(value)
    bytes += [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - text.utf8.count)) + Array(text.utf8)
  }
}
