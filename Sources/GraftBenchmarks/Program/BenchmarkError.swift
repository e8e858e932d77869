/// The reason why a benchmark cannot continue, or why a result is wrong.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
