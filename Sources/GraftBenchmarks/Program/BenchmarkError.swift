/// Why a benchmark cannot go on, or what is wrong with a result.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
