enum Usage {
  static let text = """
    Measures Graft against Foundation, in turns within one run, and judges the ratios.

      swift run -c release graft-bench
      swift run -c release graft-bench --quick
      swift run -c release graft-bench --filter P1,P6 --size 100
      swift run -c release graft-bench --filter heroes --format json
      swift run -c release graft-bench plot RUN.json > chart.svg
      swift run -c release graft-bench table RUN.json
      swift run -c release graft-bench soak 10
      swift run -c release graft-bench soak requests 1

    'plot' draws the report of a run with '--format json' as an SVG chart; 'table' prints it as a table in Markdown.
    'soak' imports, edits and deletes for some minutes, and fails if the process then holds more memory than at the start.
    'soak requests' imports new objects into a store and exports one, again and again, with a single context.

    Options:
      --filter LIST    only these goals (P1 to P22, Q7, S11, DB) and workloads (heroes, ids, posts, events), separated by commas
      --size MB        1, 10 or 100 (default: 10; 100 for peak memory, all three for growth). Graphs whose
                       operations are measured have 10,000 objects for each MB (default: 1,000,000)
      --rounds N       how often each measurement is repeated (default: 7)
      --quick          three rounds, nothing above 10 MB or 100,000 objects: under 90 seconds in total
      --format FORMAT  text (default) or json
      --check          exit status 1 if a goal misses its minimum (must)
      --help           this text

    DB requires a writable database, such as GRAFT_BENCH_DATABASE=postgresql:///bench; its times include the server's.
    All other times are processor time. Each number is the median of the rounds, each ratio the median of the ratios of the
    rounds. Every run also checks the results: a wrong one is reported and gives exit status 1.

    """
}
