import Foundation
package import Graft

/// Python's jsonschema, an independent validator of JSON Schema.
package enum SchemaValidator {
  /// Whether the validator is installed.
  package static let isInstalled: Bool = (try? run("from jsonschema import Draft202012Validator", input: "")) == ""

  /// Returns the faults of each case's `payload` according to its `schema`, or the faults of the schemas themselves.
  package static func faults(_ cases: [JSON]) throws -> [String] {
    let lines = cases.map { $0.description + "\n" }.joined()
    return try run(program, input: lines).split(separator: "\n").map(String.init)
  }

  private static let program = """
    import json, sys
    from jsonschema import Draft202012Validator
    validators = {}
    for line in sys.stdin:
        case = json.loads(line)
        text = json.dumps(case["schema"])
        if text not in validators:
            Draft202012Validator.check_schema(case["schema"])
            validators[text] = Draft202012Validator(case["schema"])
        for error in validators[text].iter_errors(case["payload"]):
            print(case["name"], error.json_path, error.message[:300].replace("\\n", " "))
    """

  private static func run(_ program: String, input: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory
    let inputURL = folder.appendingPathComponent("graft-schema-\(UUID())")
    let outputURL = folder.appendingPathComponent("graft-schema-\(UUID())")
    defer {
      try? FileManager.default.removeItem(at: inputURL)
      try? FileManager.default.removeItem(at: outputURL)
    }
    try Data(input.utf8).write(to: inputURL)
    try Data().write(to: outputURL)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program]
    process.standardInput = try FileHandle(forReadingFrom: inputURL)
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    return try String(contentsOf: outputURL, encoding: .utf8)
  }
}
