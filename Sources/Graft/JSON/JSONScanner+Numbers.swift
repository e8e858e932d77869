/// A number of the payload, parsed once into digits and a power of ten.
struct RawNumber {
  var base: UnsafePointer<UInt8>
  var count: Int
  /// The first 19 significant digits.
  var mantissa: UInt64
  /// The power of ten by which the mantissa is multiplied.
  var exponent: Int
  var isNegative: Bool
  /// Whether the number has no fraction, no exponent and at most 18 digits, so that ``int64`` is its value.
  var isShortInteger: Bool
  /// Whether some digits did not fit into the mantissa.
  var isTruncated: Bool

  @inline(__always) var bytes: LentBytes { LentBytes(start: base, count: count) }

  /// The value of a short integer.
  @inline(__always) var int64: Int64 {
    let value = Int64(truncatingIfNeeded: mantissa)
    return isNegative ? 0 &- value : value
  }

  /// The value as an integer if it is integral and fits (M5: `1.0` and `1e2` are integral).
  var exactInt64: Int64? {
    if isShortInteger { return int64 }
    if mantissa == 0, !isTruncated { return 0 }
    var magnitude = mantissa
    var power = exponent
    guard !isTruncated else { return nil }
    while power < 0 {
      guard magnitude % 10 == 0 else { return nil }
      magnitude /= 10
      power += 1
    }
    guard power <= 19 else { return nil }
    while power > 0 {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      magnitude = product
      power -= 1
    }
    if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }

  /// The nearest double, or nil if the number is too large (D9).
  @inline(__always) var double: Double? {
    if isShortInteger, mantissa < 1 << 53 {
      return isNegative ? -Double(mantissa) : Double(mantissa)
    }
    return slowDouble
  }

  @inline(never) private var slowDouble: Double? {
    if mantissa == 0, !isTruncated { return isNegative ? -0.0 : 0.0 }
    let value =
      isTruncated
      ? Double(String(decoding: bytes, as: UTF8.self))
      : DoubleText.value(mantissa: mantissa, exponent: exponent, isNegative: isNegative)
    return value.flatMap { $0.isFinite ? $0 : nil }
  }
}

extension JSONScanner {
  /// Scans a number from its first byte, which is a digit or a minus sign.
  @inline(__always)
  mutating func scanNumber() throws(JSONSyntaxError) -> RawNumber {
    let first = position
    let isNegative = peek == UInt8(ascii: "-")
    var place = isNegative ? first + 1 : first
    let digits = place
    var mantissa: UInt64 = 0
    while place < end {
      let digit = place.pointee &- 48
      if digit > 9 { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      place += 1
    }
    let count = place - digits
    if count >= 1, count <= 18, digits.pointee != 48 || count == 1 {
      let byte = place < end ? place.pointee : 0
      if byte != UInt8(ascii: "."), byte | 0x20 != UInt8(ascii: "e") {
        move(to: place)
        return RawNumber(
          base: first, count: place - first, mantissa: mantissa, exponent: 0, isNegative: isNegative,
          isShortInteger: true, isTruncated: false)
      }
    }
    return try scanLongNumber(first, digits, isNegative)
  }

  /// Scans a number with a fraction, an exponent or many digits.
  @inline(never)
  private mutating func scanLongNumber(
    _ first: UnsafePointer<UInt8>, _ digits: UnsafePointer<UInt8>, _ isNegative: Bool
  ) throws(JSONSyntaxError) -> RawNumber {
    var number = RawNumber(
      base: first, count: 0, mantissa: 0, exponent: 0, isNegative: isNegative, isShortInteger: false, isTruncated: false
    )
    var place = digits
    guard place < end, place.pointee &- 48 <= 9 else {
      if let text = foreignText(at: first) { throw failure(.foreign(text), at: first) }
      throw failure(place < end ? .badNumber("a digit") : .unexpectedEnd("a digit"), at: place)
    }
    if place.pointee == 48, place + 1 < end, place[1] &- 48 <= 9 {
      throw failure(.badNumber("no digit after a leading zero"), at: place + 1)
    }
    var significant = 0
    func take(_ digit: UInt8, _ isFraction: Bool, _ number: inout RawNumber) {
      if significant < 19 {
        number.mantissa = number.mantissa * 10 + UInt64(digit)
        if number.mantissa != 0 { significant += 1 }
        if isFraction { number.exponent -= 1 }
      } else {
        if digit != 0 { number.isTruncated = true }
        if !isFraction { number.exponent += 1 }
      }
    }
    while place < end, place.pointee &- 48 <= 9 {
      take(place.pointee &- 48, false, &number)
      place += 1
    }
    if place < end, place.pointee == UInt8(ascii: ".") {
      place += 1
      guard place < end, place.pointee &- 48 <= 9 else {
        throw failure(place < end ? .badNumber("a digit after the point") : .unexpectedEnd("a digit"), at: place)
      }
      while place < end, place.pointee &- 48 <= 9 {
        take(place.pointee &- 48, true, &number)
        place += 1
      }
    }
    if place < end, place.pointee | 0x20 == UInt8(ascii: "e") {
      place += 1
      var isMinus = false
      if place < end, place.pointee == UInt8(ascii: "+") || place.pointee == UInt8(ascii: "-") {
        isMinus = place.pointee == UInt8(ascii: "-")
        place += 1
      }
      guard place < end, place.pointee &- 48 <= 9 else {
        throw failure(place < end ? .badNumber("a digit of the exponent") : .unexpectedEnd("a digit"), at: place)
      }
      var exponent = 0
      while place < end, place.pointee &- 48 <= 9 {
        // Beyond this exponent, every number is zero or too large, so it is only necessary to avoid overflow.
        exponent = min(1 << 40, exponent * 10 + Int(place.pointee &- 48))
        place += 1
      }
      number.exponent += isMinus ? -exponent : exponent
    }
    move(to: place)
    number.count = place - first
    return number
  }
}
