/// Exit status: 0 for success; 1 for a wrong result, or a missed requirement with `--check`; 2 for a usage error.
enum Program {
  static func run(_ arguments: [String]) -> Int32 {
    do {
      if try PeakMemoryChild.answer(arguments) { return 0 }
      if try InstructionChild.answer(arguments) { return 0 }
      if let text = try RunPresentation.answer(arguments) ?? Soak.answer(arguments) {
        Standard.output(text)
        return 0
      }
      let options = try Options(arguments)
      if options.showsHelp {
        Standard.output(Usage.text)
        return 0
      }
      let report = try Benchmark(options: options, subject: graftSubject).run()
      Standard.progress("")
      Standard.output(options.format == .json ? try report.json(options) : report.text(options))
      for fault in report.faults { Standard.error("wrong result: \(fault)\n") }
      return report.faults.isEmpty && !(options.checks && report.missesMust) ? 0 : 1
    } catch let error as UsageError {
      Standard.error("error: \(error.message)\n\n\(Usage.text)")
      return 2
    } catch {
      Standard.error("error: \(error)\n")
      return 1
    }
  }
}
