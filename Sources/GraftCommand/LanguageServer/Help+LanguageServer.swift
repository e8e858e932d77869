extension Help {
  static let languageServer = """
    graft language-server: helps editors with model files

    Examples:
      graft language-server                 as an editor starts it

    Usage: graft language-server [--stdio]

      --stdio    use standard input and output (always the case)

    An editor that supports the Language Server Protocol starts the program and
    talks to it over its standard input and output. It then shows the findings of
    'graft lint' while you type, and offers:

      completion    keys, types, other words, entities, attributes, inverses and
                    transformers, in the places where they are legal
      hover         the meaning of a key or word; the documentation of a name
      definition    where an entity, an attribute or a relationship is declared
      references    where it is mentioned
      rename        a new name, in all these places
      quick fixes   the fixes of 'graft lint --fix', one by one or all together
      formatting    the layout of 'graft format'

    The documentation shows how to set up Neovim, Emacs and Visual Studio Code.

    Exit status: 0 success; 1 the editor disconnected, or sent something that is not
    a message of the protocol; 2 wrong usage.

    """
}
