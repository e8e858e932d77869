/// Days and dates of the Gregorian calendar, extended to years before its introduction as in RFC 3339.
///
/// Here, years begin in March, so that the leap day comes last. Dates are converted to days as in Howard Hinnant's algorithms, and
/// days to dates as in Neri and Schneider's "Euclidean affine functions and their application to calendar algorithms" (2022), which
/// multiply where other algorithms divide.
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
  ///
  /// - Precondition: the day is within 110 million days of 1970, which is true of every 64-bit number of microseconds.
  @inline(__always)
  package static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    // Days are counted from a March 1 long ago, in a year that is a multiple of 400.
    let quarters = 4 &* UInt32(truncatingIfNeeded: day &+ 719_468 &+ 146_097 &* eras) &+ 3
    let century = quarters / 146_097
    let product = 2_939_745 &* UInt64(4 &* (quarters % 146_097 / 4) &+ 3)
    let yearOfCentury = UInt32(truncatingIfNeeded: product >> 32)
    let dayOfYear = UInt32(truncatingIfNeeded: product) / 2_939_745 / 4
    let numerator = 2_141 &* dayOfYear &+ 197_913
    let month = Int(numerator >> 16)
    let year = Int(century) &* 100 &+ Int(yearOfCentury) &- 400 &* eras
    let inMonth = Int((numerator & 0xFFFF) / 2_141) &+ 1
    return dayOfYear >= 306 ? (year &+ 1, month &- 12, inMonth) : (year, month, inMonth)
  }

  /// The number of 400-year periods to add, so that days are counted from a day before all dates.
  @inline(__always) private static var eras: Int { 800 }

  /// Returns the number of days in a month.
  @inline(__always)
  package static func days(inMonth month: Int, of year: Int) -> Int {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return 30 + (month + month >> 3) & 1
  }

  /// Returns the day of the week; 0 is Sunday.
  package static func weekday(ofDay day: Int) -> Int { ((day + 4) % 7 + 7) % 7 }
}
