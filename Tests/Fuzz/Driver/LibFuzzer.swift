import Foundation

#if FUZZING
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt

  nonisolated(unsafe) private var fuzzed = FuzzTarget.scanner

  /// Runs libFuzzer until an input breaks a law.
  func fuzz(_ target: FuzzTarget) throws {
    fuzzed = target
    var arguments = CommandLine.unsafeArgv
    var count = CommandLine.argc
    exit(
      runFuzzer(&count, &arguments) { start, count in
        do {
          try fuzzed.check(Array(UnsafeBufferPointer(start: start, count: count)))
        } catch {
          FileHandle.standardError.write(Data("\(error)\n".utf8))
          abort()
        }
        return 0
      })
  }
#else
  func fuzz(_ target: FuzzTarget) throws {
    throw BrokenLaw("this program was built without libFuzzer: see Tests/Fuzz/run")
  }
#endif
