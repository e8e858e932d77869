enum Usage {
  static let text = """
    Measures Graft against what Foundation offers, in one run, in turns, and judges the ratios.

      swift run -c release graft-bench
      swift run -c release graft-bench --quick
      swift run -c release graft-bench --filter P1,P6 --size 100
      swift run -c release graft-bench --filter heroes --format json

    Options:
      --filter LIST    only these goals (P1 to P12, P14, S11) and workloads (heroes, ids, posts, events), with commas
      --size MB        1, 10 or 100 (default: 10; 100 for peak memory, all three for growth)
      --rounds N       how often each measurement is repeated (default: 7)
      --quick          three rounds and nothing above 10 MB: under 90 seconds in all
      --format FORMAT  text (default) or json
      --check          exit status 1 if a goal's must is missed
      --help           this text

    Times are processor time. Each number is the median of the rounds, each ratio the median of the ratios of the
    rounds. Every run also checks the results: a wrong one is reported and gives exit status 1.

    """
}
