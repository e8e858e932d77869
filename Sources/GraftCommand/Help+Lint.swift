import GraftTools

extension Help {
  /// The help of `graft lint`, including the features that only this program has.
  static let lint = LintCommand.help.replacing(
    "\nA transformer or mapper", with: "\(lintStore)\nA transformer or mapper")

  private static let lintStore = """

    graft lint --store comics.graft --where 'Hero: name = "Batman"'

      --store FILE         check queries of a store instead of model files: name the
                           index to declare for each that reads or sorts a whole
                           table
      --model MODEL        with '--store': the model file; without it, the store's
                           own model
      --where ENTITY:CONDITION
                           with '--store': a condition, as 'graft export' takes it
      --sort ENTITY:NAMES  with '--store': the attributes to sort by

    With '--store', the exit status is 1 if an index is missing.

    """
}
