/// Days and dates of the Gregorian calendar, extended to years before its introduction as in RFC 3339.
///
/// Conversions use Howard Hinnant's algorithms, in which years begin in March so that the leap day comes last.
package enum CivilDate {
  /// Returns the number of days from 1970 to a date.
  @inline(__always)
  package static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Returns the date of a day, given as the number of days since 1970.
  package static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let day = day + 719_468
    let era = (day >= 0 ? day : day - 146_096) / 146_097
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
  }

  /// Returns the number of days in a month.
  @inline(__always)
  package static func days(inMonth month: Int, of year: Int) -> Int {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return 30 + (month + month >> 3) & 1
  }

  /// Returns the day of the week; 0 is Sunday.
  package static func weekday(ofDay day: Int) -> Int { ((day + 4) % 7 + 7) % 7 }
}
