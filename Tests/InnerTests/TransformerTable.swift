@testable import Graft

/// The results of every built-in transformer for JSON values: the stored value and the JSON that an export writes (T2).
///
///     name | JSON | stored | written           `=`: the same JSON is written; `-`: the JSON is refused
enum TransformerTable {
  static let rows: [Row] = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(Row.init)

  struct Row: Sendable {
    var name: String
    var json: String
    /// The stored value; nil if the JSON value is refused.
    var stored: String?
    var written: String

    init(_ line: Substring) {
      let cells = line.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
      name = cells[0]
      json = cells[1]
      stored = cells[2] == "-" ? nil : cells[2]
      written = cells.count > 3 && cells[3] != "=" ? cells[3] : cells[1]
    }
  }

  private static let text = numbers + times + dates + lenient + texts

  /// Returns the transformer with a name in the table. `Lenient(date)` is `Lenient` for an attribute of type `date`.
  static func transformer(_ name: String) -> ValueTransformer? {
    guard name.hasPrefix("Lenient("), let type = AttributeType(rawValue: String(name.dropFirst(8).dropLast())) else {
      return TransformerRegistry.standard.valueTransformer(named: name)
    }
    return TransformerRegistry.standard.valueTransformer(named: "Lenient", for: type)
  }

  private static let lenient = #"""
    Lenient(integer16) | 7 | 7 | =
    Lenient(integer16) | 1e2 | 100 | 100
    Lenient(integer16) | "7" | 7 | 7
    Lenient(integer16) | "-7" | -7 | -7
    Lenient(integer16) | "+7" | 7 | 7
    Lenient(integer16) | "007" | 7 | 7
    Lenient(integer16) | "-007" | -7 | -7
    Lenient(integer16) | "000" | 0 | 0
    Lenient(integer16) | " 7 " | 7 | 7
    Lenient(integer16) | "\t7\r\n" | 7 | 7
    Lenient(integer16) | "7.0" | 7 | 7
    Lenient(integer16) | "1e2" | 100 | 100
    Lenient(integer16) | "32767" | 32767 | 32767
    Lenient(integer16) | "32768" | -
    Lenient(integer16) | 32768 | -
    Lenient(integer16) | "7.5" | -
    Lenient(integer16) | 7.5 | -
    Lenient(integer16) | "" | -
    Lenient(integer16) | " " | -
    Lenient(integer16) | "+" | -
    Lenient(integer16) | "+-7" | -
    Lenient(integer16) | "--7" | -
    Lenient(integer16) | "- 7" | -
    Lenient(integer16) | "1 000" | -
    Lenient(integer16) | "1,000" | -
    Lenient(integer16) | "0x10" | -
    Lenient(integer16) | "٣" | -
    Lenient(integer16) | true | -
    Lenient(integer16) | [7] | -
    Lenient(integer64) | "9223372036854775807" | 9223372036854775807 | 9223372036854775807
    Lenient(integer64) | "9223372036854775808" | -
    Lenient(float) | "0.5" | 0.5 | 0.5
    Lenient(float) | "1e39" | -
    Lenient(double) | 0.1 | 0.1 | =
    Lenient(double) | " +00.5" | 0.5 | 0.5
    Lenient(double) | "-0.0" | -0 | -0
    Lenient(double) | "1e309" | -
    Lenient(double) | ".5" | -
    Lenient(double) | "5." | -
    Lenient(double) | "1,5" | -
    Lenient(double) | "nan" | -
    Lenient(double) | "inf" | -
    Lenient(double) | true | -
    Lenient(decimal) | "012.50" | 12.5 | 12.5
    Lenient(decimal) | 12.5 | 12.5 | =
    Lenient(decimal) | "99999999999999999999999999999999999999" | 99999999999999999999999999999999999999 | 99999999999999999999999999999999999999
    Lenient(decimal) | "999999999999999999999999999999999999999" | -
    Lenient(boolean) | true | true | =
    Lenient(boolean) | false | false | =
    Lenient(boolean) | 1 | true | true
    Lenient(boolean) | 0.0 | false | false
    Lenient(boolean) | "true" | true | true
    Lenient(boolean) | "false" | false | false
    Lenient(boolean) | "yes" | true | true
    Lenient(boolean) | "no" | false | false
    Lenient(boolean) | "1" | true | true
    Lenient(boolean) | "0" | false | false
    Lenient(boolean) | 2 | -
    Lenient(boolean) | "2" | -
    Lenient(boolean) | "on" | -
    Lenient(boolean) | "TRUE" | -
    Lenient(boolean) | " true" | -
    Lenient(boolean) | "" | -
    Lenient(string) | "7" | "7" | =
    Lenient(string) | 7 | "7" | "7"
    Lenient(string) | -1.50 | "-1.50" | "-1.50"
    Lenient(string) | 12345678901234567890123 | "12345678901234567890123" | "12345678901234567890123"
    Lenient(string) | true | "true" | "true"
    Lenient(string) | false | "false" | "false"
    Lenient(string) | [1] | -
    Lenient(string) | {} | -
    Lenient(date) | "2014-08-31T00:29:15Z" | 2014-08-31T00:29:15Z | =
    Lenient(date) | 1409444955 | 2014-08-31T00:29:15Z | "2014-08-31T00:29:15Z"
    Lenient(date) | 1409444955.25 | 2014-08-31T00:29:15.25Z | "2014-08-31T00:29:15.25Z"
    Lenient(date) | 1409444955250 | 2014-08-31T00:29:15.25Z | "2014-08-31T00:29:15.25Z"
    Lenient(date) | 1409444955250.5 | 2014-08-31T00:29:15.2505Z | "2014-08-31T00:29:15.2505Z"
    Lenient(date) | 0 | 1970-01-01T00:00:00Z | "1970-01-01T00:00:00Z"
    Lenient(date) | -0.5 | 1969-12-31T23:59:59.5Z | "1969-12-31T23:59:59.5Z"
    Lenient(date) | 99999999999 | 5138-11-16T09:46:39Z | "5138-11-16T09:46:39Z"
    Lenient(date) | 100000000000 | 1973-03-03T09:46:40Z | "1973-03-03T09:46:40Z"
    Lenient(date) | -100000000000 | 1966-10-31T14:13:20Z | "1966-10-31T14:13:20Z"
    Lenient(date) | 253402300799999 | 9999-12-31T23:59:59.999Z | "9999-12-31T23:59:59.999Z"
    Lenient(date) | 253402300800000 | -
    Lenient(date) | 1e999999999 | -
    Lenient(date) | "1409444955" | -
    Lenient(date) | "20140831" | -
    Lenient(date) | "2014-08-31" | -
    Lenient(date) | true | -
    Lenient(binary) | "AAEC" | 3 bytes | =
    Lenient(binary) | 1 | -
    Lenient(uuid) | "123e4567-e89b-12d3-a456-42661417400f" | 123e4567-e89b-12d3-a456-42661417400f | =
    Lenient(uuid) | "123e4567" | -
    Lenient(uri) | "https://a.b" | https://a.b | =
    Lenient(uri) | "a b" | -
    Lenient(json) | {"a":[1,"x"]} | {"a":[1,"x"]} | =
    Lenient(json) | true | true | =

    """#

  private static let numbers = #"""
    StringToInteger | "0" | 0 | =
    StringToInteger | "7" | 7 | =
    StringToInteger | "-7" | -7 | =
    StringToInteger | "10" | 10 | =
    StringToInteger | "32768" | 32768 | =
    StringToInteger | "2147483648" | 2147483648 | =
    StringToInteger | "9007199254740993" | 9007199254740993 | =
    StringToInteger | "9223372036854775807" | 9223372036854775807 | =
    StringToInteger | "-9223372036854775808" | -9223372036854775808 | =
    StringToInteger | "9223372036854775808" | -
    StringToInteger | "-9223372036854775809" | -
    StringToInteger | "99999999999999999999999999" | -
    StringToInteger | "" | -
    StringToInteger | "-" | -
    StringToInteger | "-0" | -
    StringToInteger | "+7" | -
    StringToInteger | "007" | -
    StringToInteger | " 7" | -
    StringToInteger | "7 " | -
    StringToInteger | "7\n" | -
    StringToInteger | "7.0" | -
    StringToInteger | "7e2" | -
    StringToInteger | "1,000" | -
    StringToInteger | "1.000" | -
    StringToInteger | "1 000" | -
    StringToInteger | "0x10" | -
    StringToInteger | "٣" | -
    StringToInteger | "７" | -
    StringToInteger | "−7" | -
    StringToInteger | 7 | -
    StringToInteger | true | -
    StringToInteger | ["7"] | -
    StringToDecimal | "0" | 0 | =
    StringToDecimal | "1.5" | 1.5 | =
    StringToDecimal | "-1.5" | -1.5 | =
    StringToDecimal | "0.1" | 0.1 | =
    StringToDecimal | "1.50" | 1.5 | "1.5"
    StringToDecimal | "100" | 100 | =
    StringToDecimal | "1e2" | 100 | "100"
    StringToDecimal | "1E+2" | 100 | "100"
    StringToDecimal | "1e-2" | 0.01 | "0.01"
    StringToDecimal | "-0" | 0 | "0"
    StringToDecimal | "12345678901234567890.123456789012345678" | 12345678901234567890.123456789012345678 | =
    StringToDecimal | "99999999999999999999999999999999999999" | 99999999999999999999999999999999999999 | =
    StringToDecimal | "999999999999999999999999999999999999999" | -
    StringToDecimal | "0.123456789012345678901234567890123456789" | -
    StringToDecimal | "1,5" | -
    StringToDecimal | "1.5 €" | -
    StringToDecimal | "1.000,5" | -
    StringToDecimal | ".5" | -
    StringToDecimal | "5." | -
    StringToDecimal | "+5" | -
    StringToDecimal | "05" | -
    StringToDecimal | "NaN" | -
    StringToDecimal | "" | -
    StringToDecimal | "٫5" | -
    StringToDecimal | 1.5 | -
    StringToDouble | "0.5" | 0.5 | =
    StringToDouble | "-0.5" | -0.5 | =
    StringToDouble | "4" | 4 | =
    StringToDouble | "4.0" | 4 | "4"
    StringToDouble | "-0.0" | -0 | "-0"
    StringToDouble | "0.1" | 0.1 | =
    StringToDouble | "1e22" | 1e+22 | "1e+22"
    StringToDouble | "1e+22" | 1e+22 | =
    StringToDouble | "5e-324" | 5e-324 | =
    StringToDouble | "1e-400" | 0 | "0"
    StringToDouble | "1.7976931348623157e+308" | 1.7976931348623157e+308 | =
    StringToDouble | "12.350636104367496" | 12.350636104367496 | =
    StringToDouble | "1e309" | -
    StringToDouble | "inf" | -
    StringToDouble | "nan" | -
    StringToDouble | "1,5" | -
    StringToDouble | "0x1p3" | -
    StringToDouble | " 1" | -
    StringToDouble | "1." | -
    StringToDouble | "" | -
    StringToDouble | 1 | -
    IntegerToBoolean | 0 | false | =
    IntegerToBoolean | 1 | true | =
    IntegerToBoolean | 1.0 | true | 1
    IntegerToBoolean | 0e5 | false | 0
    IntegerToBoolean | -0 | false | 0
    IntegerToBoolean | 2 | -
    IntegerToBoolean | -1 | -
    IntegerToBoolean | 0.5 | -
    IntegerToBoolean | true | -
    IntegerToBoolean | "1" | -
    StringToBoolean | "true" | true | =
    StringToBoolean | "false" | false | =
    StringToBoolean | "TRUE" | -
    StringToBoolean | "True" | -
    StringToBoolean | "yes" | -
    StringToBoolean | "1" | -
    StringToBoolean | "" | -
    StringToBoolean | "true " | -
    StringToBoolean | true | -

    """#

  private static let times = #"""
    UnixTime | 0 | 1970-01-01T00:00:00Z | =
    UnixTime | 1 | 1970-01-01T00:00:01Z | =
    UnixTime | -1 | 1969-12-31T23:59:59Z | =
    UnixTime | 951782400 | 2000-02-29T00:00:00Z | =
    UnixTime | 1727001000 | 2024-09-22T10:30:00Z | =
    UnixTime | 1711850400 | 2024-03-31T02:00:00Z | =
    UnixTime | 2147483648 | 2038-01-19T03:14:08Z | =
    UnixTime | 253402300799 | 9999-12-31T23:59:59Z | =
    UnixTime | 253402300800 | -
    UnixTime | -62167219200 | 0000-01-01T00:00:00Z | =
    UnixTime | -62167219201 | -
    UnixTime | 0.5 | 1970-01-01T00:00:00.5Z | =
    UnixTime | 0.000001 | 1970-01-01T00:00:00.000001Z | =
    UnixTime | 1727001000.123456 | 2024-09-22T10:30:00.123456Z | =
    UnixTime | 1.7e9 | 2023-11-14T22:13:20Z | 1700000000
    UnixTime | 1.0 | 1970-01-01T00:00:01Z | 1
    UnixTime | "0" | 1970-01-01T00:00:00Z | 0
    UnixTime | "1727001000.5" | 2024-09-22T10:30:00.5Z | 1727001000.5
    UnixTime | "-1" | 1969-12-31T23:59:59Z | -1
    UnixTime | "x" | -
    UnixTime | "" | -
    UnixTime | " 1" | -
    UnixTime | true | -
    UnixTime | 1e999 | -
    UnixTimeMilliseconds | 0 | 1970-01-01T00:00:00Z | =
    UnixTimeMilliseconds | 1 | 1970-01-01T00:00:00.001Z | =
    UnixTimeMilliseconds | -1 | 1969-12-31T23:59:59.999Z | =
    UnixTimeMilliseconds | 1727001000123 | 2024-09-22T10:30:00.123Z | =
    UnixTimeMilliseconds | 0.001 | 1970-01-01T00:00:00.000001Z | =
    UnixTimeMilliseconds | 253402300799999 | 9999-12-31T23:59:59.999Z | =
    UnixTimeMilliseconds | 253402300800000 | -
    UnixTimeMilliseconds | "1" | 1970-01-01T00:00:00.001Z | 1
    UnixTimeMilliseconds | "1s" | -
    ReferenceTime | 0 | 2001-01-01T00:00:00Z | =
    ReferenceTime | 748693800 | 2024-09-22T10:30:00Z | =
    ReferenceTime | 748693800.123456 | 2024-09-22T10:30:00.123456Z | =
    ReferenceTime | 748693800.12345678 | 2024-09-22T10:30:00.123457Z | 748693800.123457
    ReferenceTime | -978307200 | 1970-01-01T00:00:00Z | =
    ReferenceTime | -0.25 | 2000-12-31T23:59:59.75Z | =
    ReferenceTime | -63145526400 | 0000-01-01T00:00:00Z | =
    ReferenceTime | -63145526401 | -
    ReferenceTime | 252423993599 | 9999-12-31T23:59:59Z | =
    ReferenceTime | 252423993600 | -
    ReferenceTime | 9223372036854 | -
    ReferenceTime | "1" | 2001-01-01T00:00:01Z | 1
    ReferenceTime | "x" | -
    ReferenceTime | true | -

    """#

  private static let dates = #"""
    DateFormat(yyyy-MM-dd) | "2024-09-22" | 2024-09-22T00:00:00Z | =
    DateFormat(yyyy-MM-dd|dd.MM.yyyy) | "2024-09-22" | 2024-09-22T00:00:00Z | =
    DateFormat(yyyy-MM-dd|dd.MM.yyyy) | "22.09.2024" | 2024-09-22T00:00:00Z | "2024-09-22"
    DateFormat(yyyy-MM-dd|dd.MM.yyyy) | "22/09/2024" | -
    DateFormat(yyyy'|'MM) | "2024|09" | 2024-09-01T00:00:00Z | =
    DateFormat(yyyy-MM-dd) | "2024-02-29" | 2024-02-29T00:00:00Z | =
    DateFormat(yyyy-MM-dd) | "0001-01-01" | 0001-01-01T00:00:00Z | =
    DateFormat(yyyy-MM-dd) | "1582-10-10" | 1582-10-10T00:00:00Z | =
    DateFormat(yyyy-MM-dd) | "1900-02-28" | 1900-02-28T00:00:00Z | =
    DateFormat(yyyy-MM-dd) | "9999-12-31" | 9999-12-31T00:00:00Z | =
    DateFormat(yyyy-MM-dd) | "2011-12-30" | 2011-12-30T00:00:00Z | =
    DateFormat(yyyy-MM-dd) | "2023-02-29" | -
    DateFormat(yyyy-MM-dd) | "1900-02-29" | -
    DateFormat(yyyy-MM-dd) | "2024-13-01" | -
    DateFormat(yyyy-MM-dd) | "2024-00-01" | -
    DateFormat(yyyy-MM-dd) | "2024-04-31" | -
    DateFormat(yyyy-MM-dd) | "2024-9-22" | -
    DateFormat(yyyy-MM-dd) | "24-09-22" | -
    DateFormat(yyyy-MM-dd) | "2024-09-22 " | -
    DateFormat(yyyy-MM-dd) | " 2024-09-22" | -
    DateFormat(yyyy-MM-dd) | "2024-09-22T00:00:00Z" | -
    DateFormat(yyyy-MM-dd) | "２０２４-09-22" | -
    DateFormat(yyyy-MM-dd) | "2567-09-22" | 2567-09-22T00:00:00Z | =
    DateFormat(yyyy-MM-dd) | "" | -
    DateFormat(yyyy-MM-dd) | 20240922 | -
    DateFormat(yyyy-MM-dd) | null | -
    DateFormat(yyyyMMdd) | "20240922" | 2024-09-22T00:00:00Z | =
    DateFormat(yyyyMMdd) | 20240922 | -
    DateFormat(dd.MM.yyyy) | "31.08.2014" | 2014-08-31T00:00:00Z | =
    DateFormat(d.M.yyyy) | "1.8.2014" | 2014-08-01T00:00:00Z | =
    DateFormat(d.M.yyyy) | "01.8.2014" | -
    DateFormat(MM/dd/yyyy) | "08/31/2014" | 2014-08-31T00:00:00Z | =
    DateFormat(MMM d, yyyy) | "Aug 5, 2014" | 2014-08-05T00:00:00Z | =
    DateFormat(MMM d, yyyy) | "aug 5, 2014" | -
    DateFormat(MMM d, yyyy) | "Ağu 5, 2014" | -
    DateFormat(MMMM d, yyyy) | "May 5, 2014" | 2014-05-05T00:00:00Z | =
    DateFormat(MMMM d, yyyy) | "Mai 5, 2014" | -
    DateFormat(EEEE, d. MMMM yyyy) | "Sunday, 31. August 2014" | 2014-08-31T00:00:00Z | =
    DateFormat(EEEE, d. MMMM yyyy) | "Monday, 31. August 2014" | -
    DateFormat(EEE MMM dd HH:mm:ss Z yyyy) | "Sun Aug 31 00:29:15 +0000 2014" | 2014-08-31T00:29:15Z | =
    DateFormat(EEE MMM dd HH:mm:ss Z yyyy) | "Sun Aug 31 02:29:15 +0200 2014" | 2014-08-31T00:29:15Z | "Sun Aug 31 00:29:15 +0000 2014"
    DateFormat(EEE, dd MMM yyyy HH:mm:ss Z) | "Sun, 31 Aug 2014 00:29:15 +0000" | 2014-08-31T00:29:15Z | =
    DateFormat(dd/MMM/yyyy:HH:mm:ss Z) | "30/Dec/2024:10:04:05 -0500" | 2024-12-30T15:04:05Z | "30/Dec/2024:15:04:05 +0000"
    DateFormat(yyyy-MM-dd HH:mm:ss) | "2024-03-31 02:30:00" | 2024-03-31T02:30:00Z | =
    DateFormat(yyyy-MM-dd HH:mm:ss) | "2024-10-27 02:30:00" | 2024-10-27T02:30:00Z | =
    DateFormat(yyyy-MM-dd HH:mm:ss) | "2024-03-10 02:30:00" | 2024-03-10T02:30:00Z | =
    DateFormat(yyyy-MM-dd HH:mm:ss) | "2024-12-31 23:59:59" | 2024-12-31T23:59:59Z | =
    DateFormat(yyyy-MM-dd HH:mm:ss) | "2024-12-31 24:00:00" | -
    DateFormat(yyyy-MM-dd HH:mm:ss) | "2024-12-31 23:60:00" | -
    DateFormat(yyyy-MM-dd HH:mm:ss) | "2016-12-31 23:59:60" | -
    DateFormat(yyyy-MM-dd'T'HH:mm:ss'Z') | "2024-09-22T10:30:00Z" | 2024-09-22T10:30:00Z | =
    DateFormat(yyyy-MM-dd'T'HH:mm:ssZ) | "2024-09-22T10:30:00+0000" | 2024-09-22T10:30:00Z | =
    DateFormat(yyyy-MM-dd'T'HH:mm:ssZ) | "2024-09-22T10:30:00+0530" | 2024-09-22T05:00:00Z | "2024-09-22T05:00:00+0000"
    DateFormat(yyyy-MM-dd'T'HH:mm:ssZ) | "2024-09-22T10:30:00-0930" | 2024-09-22T20:00:00Z | "2024-09-22T20:00:00+0000"
    DateFormat(yyyy-MM-dd'T'HH:mm:ssZ) | "2024-09-22T10:30:00" | -
    DateFormat(yyyy-MM-dd'T'HH:mm:ssXXX) | "2024-09-22T10:30:00Z" | 2024-09-22T10:30:00Z | =
    DateFormat(yyyy-MM-dd'T'HH:mm:ssXXX) | "2024-09-22T10:30:00+01:00" | 2024-09-22T09:30:00Z | "2024-09-22T09:30:00Z"
    DateFormat(yyyy-MM-dd'T'HH:mm:ssXX) | "2024-09-22T10:30:00+0100" | 2024-09-22T09:30:00Z | "2024-09-22T09:30:00Z"
    DateFormat(yyyy-MM-dd'T'HH:mm:ssxxx) | "2024-09-22T10:30:00+00:00" | 2024-09-22T10:30:00Z | =
    DateFormat(yyyy-MM-dd'T'HH:mm:ssZZZZZ) | "2024-09-22T10:30:00Z" | 2024-09-22T10:30:00Z | =
    DateFormat(yyyy-MM-dd HH:mm:ss.SSS) | "2024-09-22 10:30:00.123" | 2024-09-22T10:30:00.123Z | =
    DateFormat(yyyy-MM-dd HH:mm:ss.SSS) | "2024-09-22 10:30:00.1" | -
    DateFormat(yyyy-MM-dd HH:mm:ss,SS) | "2024-09-22 10:30:00,12" | 2024-09-22T10:30:00.12Z | =
    DateFormat(yyyy-MM-dd HH:mm:ss.SSSSSS) | "2024-09-22 10:30:00.123456" | 2024-09-22T10:30:00.123456Z | =
    DateFormat(yyyy-MM-dd h:mm a) | "2024-09-22 12:05 AM" | 2024-09-22T00:05:00Z | =
    DateFormat(yyyy-MM-dd h:mm a) | "2024-09-22 1:05 AM" | 2024-09-22T01:05:00Z | =
    DateFormat(yyyy-MM-dd h:mm a) | "2024-09-22 12:05 PM" | 2024-09-22T12:05:00Z | =
    DateFormat(yyyy-MM-dd h:mm a) | "2024-09-22 11:05 PM" | 2024-09-22T23:05:00Z | =
    DateFormat(yyyy-MM-dd h:mm a) | "2024-09-22 0:05 AM" | -
    DateFormat(yyyy-MM-dd h:mm a) | "2024-09-22 13:05 PM" | -
    DateFormat(yyyy-MM-dd h:mm a) | "2024-09-22 1:05 pm" | -
    DateFormat(yyyy-MM-dd hh:mm:ss a) | "2024-09-22 01:05:09 PM" | 2024-09-22T13:05:09Z | =
    DateFormat(HH:mm) | "23:59" | 2000-01-01T23:59:00Z | =
    DateFormat(H:mm) | "7:05" | 2000-01-01T07:05:00Z | =
    DateFormat(H:mm) | "07:05" | -
    DateFormat(yyyy) | "2024" | 2024-01-01T00:00:00Z | =
    DateFormat(yyyy-MM) | "2024-09" | 2024-09-01T00:00:00Z | =
    DateFormat(dd'''of'''MM yyyy) | "22'of'09 2024" | 2024-09-22T00:00:00Z | =
    DateFormat(h 'o''clock' a, yyyy) | "3 o'clock PM, 2024" | 2024-01-01T15:00:00Z | =
    DateFormat('year' yyyy) | "year 2024" | 2024-01-01T00:00:00Z | =
    DateFormat(yyyy年MM月dd日) | "2024年09月22日" | 2024-09-22T00:00:00Z | =
    # From here on DateFormatter reads and writes.
    DateFormat(yy-MM-dd) | "24-12-30" | 2024-12-30T00:00:00Z | =
    DateFormat(yy-MM-dd) | "49-12-30" | 2049-12-30T00:00:00Z | =
    DateFormat(yy-MM-dd) | "50-12-30" | 1950-12-30T00:00:00Z | =
    DateFormat(yy-MM-dd) | "99-12-30" | 1999-12-30T00:00:00Z | =
    DateFormat(y-M-d) | "2024-1-5" | 2024-01-05T00:00:00Z | =
    DateFormat(y-M-d) | "2024-01-05" | -
    DateFormat(yyyy-DDD) | "2024-060" | 2024-02-29T00:00:00Z | =
    DateFormat(yyyy-DDD) | "2023-366" | -
    DateFormat(d MMM yyyy G) | "30 Dec 2024 AD" | 2024-12-30T00:00:00Z | =
    DateFormat(d MMM yyyy G) | "30 Dec 0044 BC" | -
    DateFormat(YYYY-'W'ww-e) | "2025-W01-2" | 2024-12-30T00:00:00Z | =
    DateFormat(YYYY-'W'ww-e) | "2014-W36-1" | 2014-08-31T00:00:00Z | =
    DateFormat(YYYY-'W'ww) | "2014-W36" | 2014-08-31T00:00:00Z | =
    DateFormat(QQQ yyyy) | "Q3 2014" | 2014-07-01T00:00:00Z | =
    DateFormat(LLLL yyyy) | "August 2014" | 2014-08-01T00:00:00Z | =
    DateFormat(EEEEEE d MMM yyyy) | "Su 31 Aug 2014" | 2014-08-31T00:00:00Z | =
    DateFormat(K:mm a) | "0:29 PM" | 2000-01-01T12:29:00Z | =
    DateFormat(k:mm) | "24:29" | 2000-01-01T00:29:00Z | =
    DateFormat(A) | "54245678" | 2000-01-01T15:04:05.678Z | =
    DateFormat(m:s) | "4:5" | 2000-01-01T00:04:05Z | =
    DateFormat(m:s) | "04:05" | -
    DateFormat(u-MM-dd) | "2024-12-30" | 2024-12-30T00:00:00Z | =
    DateFormat(yyyy-MM-dd HH:mm zzz) | "2024-12-30 15:04 GMT" | 2024-12-30T15:04:00Z | =
    DateFormat(yyyy-MM-dd HH:mm X) | "2024-12-30 15:04 Z" | 2024-12-30T15:04:00Z | =
    DateFormat(yyyy-MM-dd HH:mm X) | "2024-12-30 15:04 -05" | 2024-12-30T20:04:00Z | "2024-12-30 20:04 Z"
    DateFormat(yyyy-MM-dd HH:mm ZZZZ) | "2024-12-30 15:04 GMT" | 2024-12-30T15:04:00Z | =

    """#

  private static let texts = #"""
    StringToURL | "https://example.org" | https://example.org | =
    StringToURL | "https://example.org/a%20b?c=d&e=%C3%A9#f" | https://example.org/a%20b?c=d&e=%C3%A9#f | =
    StringToURL | "HTTPS://Example.ORG/A" | HTTPS://Example.ORG/A | =
    StringToURL | "mailto:a@b.c" | mailto:a@b.c | =
    StringToURL | "/relative/path" | /relative/path | =
    StringToURL | "urn:isbn:0451450523" | urn:isbn:0451450523 | =
    StringToURL | "" | -
    StringToURL | "a b" | -
    StringToURL | "https://a b.c/" | -
    StringToURL | 5 | -
    StringToUUID | "123e4567-e89b-12d3-a456-426614174000" | 123e4567-e89b-12d3-a456-426614174000 | =
    StringToUUID | "123E4567-E89B-12D3-A456-42661417400F" | 123e4567-e89b-12d3-a456-42661417400f | "123e4567-e89b-12d3-a456-42661417400f"
    StringToUUID | "00000000-0000-0000-0000-000000000000" | 00000000-0000-0000-0000-000000000000 | =
    StringToUUID | "ffffffff-ffff-ffff-ffff-ffffffffffff" | ffffffff-ffff-ffff-ffff-ffffffffffff | =
    StringToUUID | "123e4567e89b12d3a456426614174000" | -
    StringToUUID | "{123e4567-e89b-12d3-a456-426614174000}" | -
    StringToUUID | "123e4567-e89b-12d3-a456-42661417400g" | -
    StringToUUID | "" | -
    StringToUUID | 5 | -
    Lowercase | "" | "" | =
    Lowercase | "batman" | "batman" | =
    Lowercase | "BatMan" | "batman" | "batman"
    Lowercase | "BATMÄN" | "batmän" | "batmän"
    Lowercase | "TITLE" | "title" | "title"
    Lowercase | "ISTANBUL" | "istanbul" | "istanbul"
    Lowercase | "İ" | "i̇" | "i̇"
    Lowercase | "ΌΣΟΣ" | "όσοσ" | "όσοσ"
    Lowercase | "ẞ" | "ß" | "ß"
    Lowercase | "ǅ" | "ǆ" | "ǆ"
    Lowercase | "1_A😀" | "1_a😀" | "1_a😀"
    Lowercase | 5 | -
    Lowercase | ["A"] | -
    """#
}
