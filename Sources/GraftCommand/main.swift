import Foundation

// A reader that has seen enough, as in `graft import … --dump - | head`, ends the program without a word.
signal(SIGPIPE, SIG_DFL)
exit(Program.run(Array(CommandLine.arguments.dropFirst()), .standard).rawValue)
