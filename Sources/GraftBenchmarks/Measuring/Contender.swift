/// One side of a comparison.
struct Contender {
  var name: Name
  /// Runs once; the seconds it took.
  var measure: () throws -> Double

  enum Name: Hashable {
    case graft, graftAgain, graftUpdate, typed, typedUpdate, parseOnly, hostile, benign
  }

  /// - Parameters:
  ///   - repetitions: how many runs stand for one sample; each has a preparation of its own.
  ///   - prepare: makes what `run` works on, outside the timing.
  ///   - run: what is measured. It hands over what it made, so that nothing is optimised away, nor freed in time.
  ///   - finish: looks at the result and lets go of it, outside the timing.
  init<Prepared, Result>(
    _ name: Name, repetitions: Int = 1, prepare: @escaping () throws -> Prepared,
    run: @escaping (Prepared) throws -> Result, finish: @escaping (Prepared, Result) throws -> Void
  ) {
    self.name = name
    measure = {
      var seconds = 0.0
      for _ in 0..<repetitions {
        let prepared = try prepare()
        let start = ProcessorTime.now()
        let result = try run(prepared)
        seconds += ProcessorTime.now() - start
        try finish(prepared, consume(result))
      }
      return seconds / Double(repetitions)
    }
  }
}

/// Hides from the optimiser that nobody needs the value.
@inline(never) @discardableResult
func consume<Value>(_ value: Value) -> Value { value }
