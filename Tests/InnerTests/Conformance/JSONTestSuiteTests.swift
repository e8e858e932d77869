import Testing

@testable import Graft

@Suite(
  "JSONTestSuite",
  .enabled(
    if: JSONTestSuite.isThere, "skipped unless GRAFT_CONFORMANCE_DATA contains the path of the JSONTestSuite"
  ))
struct JSONTestSuiteTests {
  /// Valid JSON that readers which keep the value refuse, because a key occurs twice (D8).
  static let duplicates: Set<String> = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]

  @Test("D8: every reader accepts all 95 valid files")
  func legal() throws {
    let files = try JSONTestSuite.files("y_")
    #expect(files.count == 95)
    for file in files {
      let verdicts = Readers.read(file.bytes)
      #expect(verdicts.skip == nil, "\(file.name)")
      #expect(verdicts.agree, "\(file.name)")
      #expect((verdicts.build != nil) == Self.duplicates.contains(file.name), "\(file.name)")
      for way in ImportWay.allCases {
        let error = try way.error(file.bytes)
        let isRefused = way == .keptValue && Self.duplicates.contains(file.name)
        #expect((error != nil) == isRefused, "\(file.name), \(way): \(error?.description ?? "accepted")")
      }
    }
  }

  @Test("D8: every reader rejects all 188 invalid files, with a location inside the file")
  func illegal() throws {
    let files = try JSONTestSuite.files("n_")
    #expect(files.count == 188)
    for file in files { try refuses(file) }
  }

  private func refuses(_ file: JSONTestSuite.File) throws {
    let verdicts = Readers.read(file.bytes)
    #expect(verdicts.agree, "\(file.name)")
    guard let error = verdicts.skip else {
      Issue.record("\(file.name) is accepted")
      return
    }
    #expect((0...file.bytes.count).contains(error.offset), "\(file.name)")
    #expect(!error.message.isEmpty && error.code == (error.message.contains("depth") ? .limitDepth : .syntaxError))
    for way in ImportWay.allCases {
      guard let error = try way.error(file.bytes), let diagnostic = error.diagnostics.last,
        let location = diagnostic.location
      else {
        Issue.record("\(file.name), \(way): accepted, or refused without a location")
        continue
      }
      #expect((0...way.length(of: file.bytes)).contains(location.offset), "\(file.name), \(way)")
      #expect(location.line >= 1 && location.column >= 1 && diagnostic.path != nil, "\(file.name), \(way)")
    }
  }

  /// The decision for each file that the suite leaves open.
  static let open: [String: String] = [
    // Numbers are converted by code that knows their purpose. As JSON, numbers of any size are valid. D9 determines whether a number fits
    // an attribute.
    "i_number_double_huge_neg_exp.json": "accepted",
    "i_number_huge_exp.json": "accepted",
    "i_number_neg_int_huge_exp.json": "accepted",
    "i_number_pos_double_huge_exp.json": "accepted",
    "i_number_real_neg_overflow.json": "accepted",
    "i_number_real_pos_overflow.json": "accepted",
    "i_number_real_underflow.json": "accepted",
    "i_number_too_big_neg_int.json": "accepted",
    "i_number_too_big_pos_int.json": "accepted",
    "i_number_very_big_negative_int.json": "accepted",
    // An escaped half of a surrogate pair is not a character, so no string can contain it (D8).
    "i_object_key_lone_2nd_surrogate.json":
      "expected both halves of a surrogate pair, found only one at 2",
    "i_string_1st_surrogate_but_2nd_missing.json":
      "expected both halves of a surrogate pair, found only one at 2",
    "i_string_1st_valid_surrogate_2nd_invalid.json":
      "expected both halves of a surrogate pair, found only one at 2",
    "i_string_incomplete_surrogate_and_escape_valid.json":
      "expected both halves of a surrogate pair, found only one at 2",
    "i_string_incomplete_surrogate_pair.json":
      "expected both halves of a surrogate pair, found only one at 2",
    "i_string_incomplete_surrogates_escape_valid.json":
      "expected both halves of a surrogate pair, found only one at 2",
    "i_string_invalid_lonely_surrogate.json":
      "expected both halves of a surrogate pair, found only one at 2",
    "i_string_invalid_surrogate.json":
      "expected both halves of a surrogate pair, found only one at 2",
    "i_string_inverted_surrogates_U+1D11E.json":
      "expected both halves of a surrogate pair, found only one at 2",
    "i_string_lone_second_surrogate.json":
      "expected both halves of a surrogate pair, found only one at 2",
    // JSON is exchanged as UTF-8 (RFC 8259, 8.1), so invalid bytes are not replaced or guessed.
    "i_string_UTF-8_invalid_sequence.json": "the bytes are not valid UTF-8 at 7",
    "i_string_UTF8_surrogate_U+D800.json": "the bytes are not valid UTF-8 at 2",
    "i_string_invalid_utf-8.json": "the bytes are not valid UTF-8 at 2",
    "i_string_iso_latin_1.json": "the bytes are not valid UTF-8 at 2",
    "i_string_lone_utf8_continuation_byte.json": "the bytes are not valid UTF-8 at 2",
    "i_string_not_in_unicode_range.json": "the bytes are not valid UTF-8 at 2",
    "i_string_overlong_sequence_2_bytes.json": "the bytes are not valid UTF-8 at 2",
    "i_string_overlong_sequence_6_bytes.json": "the bytes are not valid UTF-8 at 2",
    "i_string_overlong_sequence_6_bytes_null.json": "the bytes are not valid UTF-8 at 2",
    "i_string_truncated-utf-8.json": "the bytes are not valid UTF-8 at 2",
    // Other encodings are named in the error, because that helps the sender (D8).
    "i_string_UTF-16LE_with_BOM.json":
      "the text is UTF-16 (little endian), but JSON must be UTF-8 (RFC 8259, section 8.1) at 0",
    "i_string_utf16BE_no_BOM.json":
      "the text is UTF-16 (big endian), but JSON must be UTF-8 (RFC 8259, section 8.1) at 0",
    "i_string_utf16LE_no_BOM.json":
      "the text is UTF-16 (little endian), but JSON must be UTF-8 (RFC 8259, section 8.1) at 0",
    // The file has 500 levels, which is below the limit of 512 (I15).
    "i_structure_500_nested_arrays.json": "accepted",
    // A UTF-8 byte order mark is skipped (D8).
    "i_structure_UTF-8_BOM_empty_object.json": "accepted",
  ]

  @Test("D8: each of the 35 implementation-defined cases is decided")
  func decided() throws {
    let files = try JSONTestSuite.files("i_")
    #expect(Set(files.map(\.name)) == Set(Self.open.keys))
    #expect(files.count == 35)
    for file in files {
      let verdicts = Readers.read(file.bytes)
      #expect(verdicts.agree, "\(file.name)")
      let verdict = verdicts.skip.map { "\($0.message) at \($0.offset)" } ?? "accepted"
      #expect(verdict == Self.open[file.name], "\(file.name)")
      for way in ImportWay.allCases {
        #expect(try (way.error(file.bytes) == nil) == (verdict == "accepted"), "\(file.name), \(way)")
      }
    }
  }
}

/// The ways in which the importer reads a whole JSON text that no property describes: skipped under an unmapped key, or stored in a `json`
/// attribute.
enum ImportWay: CaseIterable {
  case unmappedKey, keptValue

  private static let model = try? ManagedObjectModel(
    text:
      #"{"entities": {"Thing": {"attributes": {"value": {"type": "json", "optional": true, "JSONKeyPath": "value"}}}}}"#
  )

  private var prefix: [UInt8] { Array((self == .keptValue ? #"{"value": "# : #"{"other": "#).utf8) }

  func length(of bytes: [UInt8]) -> Int { prefix.count + bytes.count + 1 }

  /// Imports an object with the text as a member, and returns the error. A byte order mark is removed, because it is allowed only at the
  /// beginning of a whole text.
  func error(_ bytes: [UInt8]) throws -> ImportError? {
    guard let model = Self.model else { return ImportFinding.stopped("the model of the test does not load").error() }
    let context = ManagedObjectContext(model: model)
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    do throws(ImportError) {
      try context.importJSON(prefix + bytes + Array("}".utf8), ofEntity: "Thing")
      return nil
    } catch {
      return try context.count(ofEntity: "Thing") == 0 ? error : nil
    }
  }
}
