#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates are stored as microseconds since 1970. `Date` counts in a double: near our time it holds every microsecond,
/// some three centuries away from it only every other one, and in the year 9999 every thirtieth. There a whole millisecond is
/// taken for what was meant.
extension Date {
  private static let secondsTo2001: Int64 = 978_307_200

  /// The moment that many microseconds after 1970, as near as a `Date` can be.
  package init(microsecondsSince1970 microseconds: Int64) {
    let whole = microseconds / 1_000_000
    let seconds = Double(whole - Date.secondsTo2001) + Double(microseconds - whole * 1_000_000) / 1_000_000
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  /// From here on, in seconds from 2001, a `Date` does not hold every microsecond.
  private static let coarse = 8_589_934_592.0

  /// The microseconds since 1970, rounded to the nearest. Moments that 64 bits do not reach, and NaN, are drawn to what
  /// they do.
  package var microsecondsSince1970: Int64 {
    let interval = timeIntervalSinceReferenceDate
    guard interval < 9_000_000_000_000 else { return interval.isNaN ? 0 : .max }
    guard interval > -9_000_000_000_000 else { return interval.isNaN ? 0 : .min }
    let whole = interval.rounded(.down)
    let fraction = Int64(((interval - whole) * 1_000_000).rounded())
    let microseconds = (Int64(whole) + Date.secondsTo2001) * 1_000_000 + fraction
    guard abs(interval) >= Date.coarse else { return microseconds }
    let milliseconds = (Double(fraction) / 1_000).rounded()
    let rounded = microseconds - fraction + Int64(milliseconds) * 1_000
    return Date(microsecondsSince1970: rounded) == self ? rounded : microseconds
  }
}
