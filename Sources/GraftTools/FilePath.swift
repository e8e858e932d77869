package import Foundation
package import Graft

/// Paths as bytes, which need not be UTF-8.
///
/// The program passes paths on as strings. In such a string, each byte that is not part of a character is represented by a scalar
/// in a private use area, so no byte is lost:
///
///     68 E9 72 6F        h U+10FEE9 r o        h�ro
///     the argument       the string            the display
package enum FilePath {
  /// The scalars that represent the bytes 80 to FF.
  private static let standIns: ClosedRange<UInt32> = 0x10_FE80...0x10_FEFF
  /// The difference between a byte and its scalar.
  private static let offset: UInt32 = 0x10_FE00

  /// Returns the string for the bytes of an argument.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
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
        // A character in that private use area is itself treated as invalid bytes.
        if standIns.contains(scalar.value) { rest.prefix(4).forEach(standIn) } else { scalars.append(scalar) }
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        rest.prefix(length).forEach(standIn)
        rest = rest.dropFirst(length)
      }
    }
  }

  /// Returns the bytes of a path for the system, with a terminating zero.
  package static func bytes(of path: String) -> [CChar] {
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

  /// Returns whether all bytes of the path are parts of characters.
  package static func isUTF8(_ path: String) -> Bool {
    !path.unicodeScalars.contains { standIns.contains($0.value) }
  }

  /// Returns the path for display: bytes that are not part of a character are shown as `�`.
  package static func shown(_ path: String) -> String {
    if isUTF8(path) { return path }
    return path.unicodeScalars.reduce(into: "") {
      $0.unicodeScalars.append(standIns.contains($1.value) ? "\u{FFFD}" : $1)
    }
  }

  /// Returns the path as a word of a shell command: in single quotes if it needs them.
  package static func word(_ path: String) -> String {
    let shown = shown(path)
    let isPlain = shown.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789_-./,:@%+=".unicodeScalars.contains($0)
    }
    return isPlain && !shown.isEmpty ? shown : "'" + shown.replacing("'", with: "'\\''") + "'"
  }

  // MARK: Existing files

  /// Returns the status of a path's file; nil if there is none or it is not accessible.
  package static func status(of path: String) -> stat? {
    var status = stat()
    return stat(bytes(of: path), &status) == 0 ? status : nil
  }

  package static func exists(_ path: String) -> Bool { status(of: path) != nil }

  package static func isFolder(_ path: String) -> Bool {
    status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Returns the names in a folder, unordered; empty if the folder cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let directory = opendir(bytes(of: folder)) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { text($0.prefix { $0 != 0 }) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Creates a folder and its parent folders.
  ///
  /// - Returns: 0, or the system's error.
  package static func makeFolder(_ path: String) -> Int32 {
    if mkdir(bytes(of: path), 0o777) == 0 { return 0 }
    let error = errno
    if error == EEXIST, isFolder(path) { return 0 }
    guard error == ENOENT, let parent = parent(of: path) else { return error }
    let failure = makeFolder(parent)
    guard failure == 0 else { return failure }
    return mkdir(bytes(of: path), 0o777) == 0 ? 0 : errno
  }

  // MARK: Links

  /// Returns the target of a path whose last component is a symbolic link or a chain of them. The target need not exist.
  package static func target(of path: String) -> String {
    var target = path
    // The system's maximum number of links.
    for _ in 0..<40 {
      var status = stat()
      guard lstat(bytes(of: target), &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
        let link = content(ofLink: target)
      else { return target }
      target = link.hasPrefix("/") ? link : (parent(of: target).map { $0 == "/" ? $0 : $0 + "/" } ?? "") + link
    }
    return target
  }

  /// Returns one path for all paths to the same location, whether or not a file or folder exists there. It is compared by its bytes,
  /// because canonically equivalent names may be names of different files.
  package static func place(of path: String) -> UTF8Key { UTF8Key(location(of: path)) }

  private static func location(of path: String) -> String {
    let target = target(of: path)
    var names = [name(of: target)]
    var folder = parent(of: target) ?? "."
    // Folders that do not exist are compared by name.
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

  /// Returns the path of a folder without links, dots and a trailing slash; nil if it does not exist.
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

  /// Returns the folder of a path; nil if the path is only a name.
  package static func parent(of path: String) -> String? {
    let scalars = path.unicodeScalars
    let end = scalars.lastIndex { $0 != "/" } ?? scalars.startIndex
    guard let slash = scalars[..<end].lastIndex(of: "/") else { return nil }
    let parent = scalars[..<slash]
    return parent.allSatisfy { $0 == "/" } ? "/" : String(parent)
  }
}
