import GraftTools

// The plugins need no more than these commands. A separate program keeps their build short, and free of SQLite.
Program<ModelCommand>(
  overview: """
    graft: checks and formats model files, and generates classes from them

    Commands:
    \(Program<ModelCommand>.commandList)

    This program serves the package plugins. The program 'graft' has all commands.

    """
).start()
