/// `ConnStatusType`. Other values are intermediate states while connecting.
enum ConnectionStatus {
  static let ok: CInt = 0
}

/// `PostgresPollingStatusType`
enum PollingStatus {
  static let failed: CInt = 0
  static let reading: CInt = 1
  static let writing: CInt = 2
  static let ok: CInt = 3
}

/// `ExecStatusType`
enum ResultStatus {
  static let emptyQuery: CInt = 0
  static let commandOK: CInt = 1
  static let tuplesOK: CInt = 2
  static let copyOut: CInt = 3
  static let copyIn: CInt = 4
  static let copyBoth: CInt = 8
  static let singleTuple: CInt = 9
  static let pipelineSync: CInt = 10
}

/// `PGVerbosity`
enum Verbosity {
  static let normal: CInt = 1
  static let verbose: CInt = 2
}

/// `PG_DIAG_...`: the parts of an error.
enum ErrorField {
  static let severity = CInt(UInt8(ascii: "V"))
  static let sqlState = CInt(UInt8(ascii: "C"))
  static let message = CInt(UInt8(ascii: "M"))
  static let detail = CInt(UInt8(ascii: "D"))
  static let hint = CInt(UInt8(ascii: "H"))
  static let schema = CInt(UInt8(ascii: "s"))
  static let table = CInt(UInt8(ascii: "t"))
  static let column = CInt(UInt8(ascii: "c"))
  static let constraint = CInt(UInt8(ascii: "n"))
  static let function = CInt(UInt8(ascii: "R"))
}

/// The fields of `PQconninfoOption`, in seven words. The integer at the end takes a whole word.
struct ConninfoOption {
  let keyword: String
  let value: String?
  let isSecret: Bool

  /// Reads an array of options, which ends with an option without a keyword.
  static func all(at start: UnsafeRawPointer) -> [ConninfoOption] {
    let word = MemoryLayout<UnsafeRawPointer>.stride
    func text(_ option: Int, _ field: Int) -> String? {
      start.load(fromByteOffset: (option * 7 + field) * word, as: UnsafePointer<CChar>?.self).map {
        String(cString: $0)
      }
    }
    var options: [ConninfoOption] = []
    while let keyword = text(options.count, 0) {
      options.append(
        ConninfoOption(keyword: keyword, value: text(options.count, 3), isSecret: text(options.count, 5) == "*"))
    }
    return options
  }
}
