import Foundation

/// Paths as the system has them: bytes, which need not be UTF-8.
///
/// The program passes them on as texts. In such a text, each byte that is not part of a character is a scalar of a private
/// area, so that no byte is lost:
///
///     68 E9 72 6F        h U+10FEE9 r o        h�ro
///     the argument       the text              what people see
enum FilePath {
  /// The scalars that stand for the bytes 80 to FF.
  private static let standIns: ClosedRange<UInt32> = 0x10_FE80...0x10_FEFF
  /// What is added to a byte to make its stand-in.
  private static let offset: UInt32 = 0x10_FE00

  /// The text for the bytes of an argument.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    func standIn(_ byte: UInt8) { scalars.append(Unicode.Scalar(offset + UInt32(byte)) ?? "\u{FFFD}") }
    var rest = Array(bytes)[...]
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = rest.makeIterator()
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .emptyInput: return String(scalars)
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        // A character that is a stand-in itself counts as bytes that are none.
        if standIns.contains(scalar.value) { rest.prefix(4).forEach(standIn) } else { scalars.append(scalar) }
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        rest.prefix(length).forEach(standIn)
        rest = rest.dropFirst(length)
      }
    }
  }

  /// The bytes of a path, for the system; they end with a zero.
  static func bytes(of path: String) -> [CChar] {
    var bytes: [CChar] = []
    bytes.reserveCapacity(path.utf8.count + 1)
    for scalar in path.unicodeScalars {
      if standIns.contains(scalar.value) {
        bytes.append(CChar(truncatingIfNeeded: scalar.value - offset))
      } else {
        bytes += UTF8.encode(scalar)?.map { CChar(bitPattern: $0) } ?? []
      }
    }
    return bytes + [0]
  }

  /// The path as people see it: bytes that are not part of a character are shown as `�`.
  static func shown(_ path: String) -> String {
    guard path.unicodeScalars.contains(where: { standIns.contains($0.value) }) else { return path }
    return path.unicodeScalars.reduce(into: "") {
      $0.unicodeScalars.append(standIns.contains($1.value) ? "\u{FFFD}" : $1)
    }
  }

  // MARK: What is there

  /// What a path leads to; nil if there is nothing, or it cannot be seen.
  static func status(of path: String) -> stat? {
    var status = stat()
    return stat(bytes(of: path), &status) == 0 ? status : nil
  }

  static func exists(_ path: String) -> Bool { status(of: path) != nil }

  static func isFolder(_ path: String) -> Bool { status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

  /// The names of what is in a folder, in no order; none if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(bytes(of: folder)) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { text($0.prefix { $0 != 0 }) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Makes a folder, and those around it.
  ///
  /// - Returns: 0, or the error of the system.
  static func makeFolder(_ path: String) -> Int32 {
    if mkdir(bytes(of: path), 0o777) == 0 { return 0 }
    let error = errno
    if error == EEXIST, isFolder(path) { return 0 }
    guard error == ENOENT, let parent = parent(of: path) else { return error }
    let failure = makeFolder(parent)
    guard failure == 0 else { return failure }
    return mkdir(bytes(of: path), 0o777) == 0 ? 0 : errno
  }

  // MARK: Links

  /// Where a path leads if its last part is a symbolic link, or a chain of them. The file at the end need not exist.
  static func target(of path: String) -> String {
    var target = path
    // As many as the system follows.
    for _ in 0..<40 {
      var status = stat()
      guard lstat(bytes(of: target), &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
        let link = content(ofLink: target)
      else { return target }
      target = link.hasPrefix("/") ? link : (parent(of: target).map { $0 == "/" ? $0 : $0 + "/" } ?? "") + link
    }
    return target
  }

  /// One path for all that lead to the same place, whether or not a file is there, or a folder.
  static func place(of path: String) -> String {
    let target = target(of: path)
    var names = [name(of: target)]
    var folder = parent(of: target) ?? "."
    // Folders that do not exist are taken by their names.
    while true {
      if let resolved = resolved(folder) { return resolved + "/" + names.reversed().joined(separator: "/") }
      let name = name(of: folder)
      guard !name.isEmpty, folder != "." else { return target }
      folder = parent(of: folder) ?? "."
      if name == "." { continue }
      if names.count > 1, names[names.count - 1] == "..", name != ".." {
        names.removeLast()
      } else {
        names.append(name)
      }
    }
  }

  /// The path of a folder without links and dots, and without a slash at its end; nil if it does not exist.
  private static func resolved(_ folder: String) -> String? {
    guard let path = realpath(bytes(of: folder), nil) else { return nil }
    defer { free(path) }
    let text = text(UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) })
    return text == "/" ? "" : text
  }

  private static func name(of path: String) -> String {
    path.unicodeScalars.split(separator: "/").last.map { String($0) } ?? ""
  }

  private static func content(ofLink path: String) -> String? {
    var content = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = content.withUnsafeMutableBytes { buffer in
      readlink(bytes(of: path), buffer.bindMemory(to: CChar.self).baseAddress!, buffer.count)
    }
    return length > 0 ? text(content.prefix(length)) : nil
  }

  /// The folder that a path names; nil if it is a name only.
  private static func parent(of path: String) -> String? {
    let scalars = path.unicodeScalars
    let end = scalars.lastIndex { $0 != "/" } ?? scalars.startIndex
    guard let slash = scalars[..<end].lastIndex(of: "/") else { return nil }
    let parent = scalars[..<slash]
    return parent.allSatisfy { $0 == "/" } ? "/" : String(parent)
  }
}
