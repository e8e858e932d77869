import Foundation

// If the reader closes the pipe, as in `graft import … --dump - | head`, the program ends silently.
signal(SIGPIPE, SIG_DFL)
// Not 'CommandLine.arguments', which loses the bytes of file names that are not UTF-8.
let words = (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }.map { word in
  FilePath.text(UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) })
}
exit(Program.run(words, .standard).rawValue)
