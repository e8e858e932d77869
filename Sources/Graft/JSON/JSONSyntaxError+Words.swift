extension JSONSyntaxError {
  /// The message for a document that is followed by something else.
  package static let textAfterEnd = JSONSyntaxError(offset: 0, problem: .textAfterEnd).message

  /// The key that was probably intended; the message contains it.
  package var suggestion: String? {
    if case .absentKey(_, let near) = problem { near } else { nil }
  }

  /// Whether the text is JSON but has no objects at the key path.
  var isOfPath: Bool {
    switch problem {
    case .absentKey, .blockedPath: true
    default: false
    }
  }

  /// The error as the message of a diagnostic.
  package var message: String { message(in: .library) }

  /// Returns the message, with the option names used by the program that sets the options.
  package func message(in words: OptionWords) -> String {
    switch problem {
    case .unexpectedEnd(let what): "the text ends where \(what) was expected"
    case .expected(let what), .blockedPath(let what): "expected \(what)"
    case .absentKey(let what, let near): "expected \(what)" + (near.map { "; did you mean '\($0)'?" } ?? "")
    case .trailingComma: "expected more after the comma: JSON does not allow trailing commas"
    case .unterminatedString: "the text ends inside a string: expected '\"'"
    case .controlCharacter(let byte):
      "a control character (\(hexadecimal(byte))) in a string must be escaped as \\u00\(hexadecimal(byte).dropFirst(2))"
    case .badEscape: "expected an escape after '\\': one of \" \\ / b f n r t, or u and four hexadecimal digits"
    case .loneSurrogate: "expected both halves of a surrogate pair, found only one"
    case .invalidUTF8: "the bytes are not valid UTF-8"
    case .badNumber(let what): "expected \(what) in a number"
    case .badLiteral: "expected a JSON value: an object, an array, a string, a number, true, false or null"
    case .foreign(let text): text.message
    case .comment: "JSON does not allow comments"
    case .textAfterEnd: "expected nothing after the end of the JSON value"
    case .wrongEncoding(let name): "the text is \(name), but JSON must be UTF-8 (RFC 8259, section 8.1)"
    case .tooDeep(let limit):
      "nested deeper than the limit of \(limit) levels" + (words.hasLimits ? " ('depth')" : "")
    case .duplicateKey(let key): "the key \(FoundPhrase.quoted(key.utf8)) occurs twice in one object"
    case .empty: "expected a JSON value, found nothing"
    case .limit(let limit, let most):
      "\(limit.subject) exceeds the limit"
        + (words.hasLimits ? " '\(limit.rawValue)' of \(most)" : " of \(most) \(limit.unit)")
    case .tooManyCopies(let most):
      "the payload and the copies of values that its objects read with '@parent' and '@root' exceed the limit"
        + (words.hasLimits ? " 'bytes' of \(most)" : " of \(most) bytes")
    case .stopped: "the import was stopped"
    }
  }

  /// A stable name for programs.
  package var code: DiagnosticCode {
    switch problem {
    case .tooDeep: .limitDepth
    case .limit(let limit, _): limit.code
    case .tooManyCopies: .limitBytes
    case .duplicateKey: .duplicateKey
    case .absentKey: .noObject
    case .blockedPath: .blockedKeyPath
    default: .syntaxError
    }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "U+" + (digits.count == 1 ? "0" : "") + digits
  }
}

extension JSONSyntaxError.Limit {
  fileprivate var code: DiagnosticCode {
    switch self {
    case .bytes: .limitBytes
    case .objects: .limitObjects
    case .stringBytes: .limitStringBytes
    case .numberBytes: .limitNumberBytes
    }
  }

  /// The subject that is too large.
  fileprivate var subject: String {
    switch self {
    case .bytes, .objects: "the payload"
    case .stringBytes: "the string"
    case .numberBytes: "the number"
    }
  }

  /// The counted unit, if the name of the limit is unknown.
  fileprivate var unit: String { self == .objects ? "new objects" : "bytes" }
}
