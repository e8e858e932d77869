#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Converts between dates and microseconds since 1970, which is how dates are stored.
///
/// `Date` holds a double. Near the present, it represents every microsecond, but about three centuries away only one in two, and in
/// the year 9999 only one in thirty. For such distant dates, a whole millisecond is preferred if there is one near enough.
extension Date {
  private static let secondsTo2001: Int64 = 978_307_200

  /// Creates the date nearest to a number of microseconds since 1970.
  package init(microsecondsSince1970 microseconds: Int64) {
    let whole = microseconds / 1_000_000
    let seconds = Double(whole - Date.secondsTo2001) + Double(microseconds - whole * 1_000_000) / 1_000_000
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  /// The limit, in seconds from 2001, beyond which a `Date` does not represent every microsecond.
  private static let coarse = 8_589_934_592.0

  /// The microseconds since 1970, rounded to nearest. Dates outside the range of 64 bits, and NaN, are clamped.
  ///
  /// The `Date` of the last microseconds of the year 9999 is the beginning of the next year. That date is therefore
  /// treated as the last microsecond of 9999.
  package var microsecondsSince1970: Int64 {
    let interval = timeIntervalSinceReferenceDate
    guard interval < 9_000_000_000_000 else { return interval.isNaN ? 0 : .max }
    guard interval > -9_000_000_000_000 else { return interval.isNaN ? 0 : .min }
    let whole = interval.rounded(.down)
    let fraction = Int64(((interval - whole) * 1_000_000).rounded())
    let microseconds = (Int64(whole) + Date.secondsTo2001) * 1_000_000 + fraction
    guard abs(interval) >= Date.coarse else { return microseconds }
    let last = DateText.range.upperBound
    if microseconds > last, Date(microsecondsSince1970: last) == self { return last }
    let milliseconds = (Double(fraction) / 1_000).rounded()
    let rounded = microseconds - fraction + Int64(milliseconds) * 1_000
    return Date(microsecondsSince1970: rounded) == self ? rounded : microseconds
  }

  /// The microseconds since 1970, or nil if no attribute can hold the date (D9), because it is outside the years 0000 to 9999 or NaN.
  package var storedMicroseconds: Int64? {
    guard !timeIntervalSinceReferenceDate.isNaN else { return nil }
    let microseconds = microsecondsSince1970
    return DateText.range.contains(microseconds) ? microseconds : nil
  }

  /// Whether the date is within the range of 64 bits.
  package var isCountable: Bool { abs(timeIntervalSinceReferenceDate) < 9_000_000_000_000 }

  /// The microseconds since 1970 of all dates that read as this date. The range contains more than one number only for distant
  /// dates, for which a `Date` does not represent every microsecond.
  package var microsecondsReadAsThis: ClosedRange<Int64> {
    let nearest = microsecondsSince1970
    guard abs(timeIntervalSinceReferenceDate) >= Date.coarse, storedMicroseconds != nil else {
      return nearest...nearest
    }
    var (first, last) = (nearest, nearest)
    while first > DateText.range.lowerBound, Date(microsecondsSince1970: first - 1) == self { first -= 1 }
    while last < DateText.range.upperBound, Date(microsecondsSince1970: last + 1) == self { last += 1 }
    return first...last
  }
}
