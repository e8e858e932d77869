/// One side of a comparison.
struct Contender {
  var name: Name
  /// Runs once, and returns the seconds that it took.
  var measure: () throws -> Double

  enum Name: Hashable {
    case graft, graftAgain, graftUpdate, typed, typedAgain, typedUpdate, parseOnly, hostile, benign
    case bare, opening, finding, filtering, request
    /// A hub with many members, and hubs with few.
    case many, few
    /// Streams of lines and of an array's elements.
    case lines, elements
    /// The same work with a number of objects, and its baseline.
    case size(Int), typedSize(Int)
    /// One of several ways to do the same work.
    case way(Int)
  }

  /// - Parameters:
  ///   - repetitions: the number of runs per sample, each with its own preparation.
  ///   - now: the clock.
  ///   - prepare: creates the input of `run`, outside the timing.
  ///   - run: the measured work. It returns its result, so that nothing is optimized away or freed during the timing.
  ///   - finish: inspects and releases the result, outside the timing.
  init<Prepared, Result>(
    _ name: Name, repetitions: Int = 1, clock now: @escaping () -> Double = ProcessorTime.now,
    prepare: @escaping () throws -> Prepared,
    run: @escaping (Prepared) throws -> Result, finish: @escaping (Prepared, Result) throws -> Void
  ) {
    self.name = name
    measure = {
      var seconds = 0.0
      for _ in 0..<repetitions {
        let prepared = try prepare()
        let start = now()
        let result = try run(prepared)
        seconds += now() - start
        try finish(prepared, consume(result))
      }
      return seconds / Double(repetitions)
    }
  }
}

/// Hides the fact that the value is unused from the optimizer.
@inline(never) @discardableResult
func consume<Value>(_ value: Value) -> Value { value }
