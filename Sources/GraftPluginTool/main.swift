import GraftTools

// The plugins need only these commands. As a separate program, they build quickly and without SQLite.
Program<ModelCommand>(
  overview: """
    graft: checks and formats model files, and generates classes from them

    Commands:
    \(Program<ModelCommand>.commandList)

    This program serves the package plugins. The program 'graft' has all commands.

    """
).start()
