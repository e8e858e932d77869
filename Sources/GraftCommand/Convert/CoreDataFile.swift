import Foundation
import Graft
import GraftTools

/// The file that contains a Core Data model. A model can be given as the bundle of its versions, one version, or the file
/// itself.
///
///     Comics.xcdatamodeld/
///       .xccurrentversion            names the current version
///       Comics.xcdatamodel/
///         contents                   the XML
///       Comics 2.xcdatamodel/
///         contents
struct CoreDataFile {
  /// The maximum size of the XML, in bytes. Real models have up to a few hundred thousand; libxml2 stops at ten million.
  static let longest = 8 << 20

  let source: SourceText
  /// The path of the file that was read.
  let path: String
  /// The model's name; nil if the file does not contain one.
  let modelName: String?
  /// A note that explains which of several versions was chosen, and why.
  let version: ConversionNote?

  init(_ path: String, _ streams: Streams) throws(Failure) {
    let url = URL(fileURLWithPath: path)
    var version: ConversionNote?
    var file = path
    if path != "-" {
      try CoreDataFile.refuseCompiled(url, path)
      if url.pathExtension == "xcdatamodeld" {
        let found = try CoreDataFile.currentVersion(of: path)
        version = found.note
        file = try CoreDataFile.contents(of: "\(CoreDataFile.folder(path))/\(found.name)")
      } else if FilePath.isFolder(path) {
        file = try CoreDataFile.contents(of: path)
      }
    }
    self.version = version
    modelName = path == "-" ? nil : CoreDataFile.name(URL(fileURLWithPath: FileReader.displayName(path)))
    self.path = file
    var reader = FileReader(streams)
    let bytes = try reader.read(file)
    guard bytes.count <= CoreDataFile.longest else {
      throw .file("read", file, "it is longer than \(CoreDataFile.longest) bytes")
    }
    source = SourceText(name: FileReader.displayName(file), bytes: bytes)
  }

  /// Returns the model's name: `Comics` for `Comics.xcdatamodeld`, or for a version or file inside it.
  private static func name(_ url: URL) -> String? {
    let bundles = url.standardizedFileURL.pathComponents.filter {
      $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel")
    }
    return bundles.first.map { String($0.prefix(upTo: $0.lastIndex(of: ".") ?? $0.endIndex)) }
  }

  private static func refuseCompiled(_ url: URL, _ path: String) throws(Failure) {
    guard ["mom", "momd", "omo"].contains(url.pathExtension) else { return }
    throw .file("read", path, "it is a compiled model; convert the .xcdatamodeld from which it was compiled")
  }

  /// Returns the XML of one version.
  private static func contents(of path: String) throws(Failure) -> String {
    let folder = folder(path)
    let contents = "\(folder)/contents"
    guard !FilePath.exists(contents) else { return contents }
    guard FilePath.isFolder(folder) else { throw .file("read", path, "No such file or directory") }
    if FilePath.exists("\(folder)/elements") {
      throw .file(
        "read", path,
        "it is in the binary format of Xcode 3; open it in Xcode, choose a newer tools version in the File inspector, "
          + "and save it")
    }
    let models = models(in: folder)
    let hint = models.isEmpty ? "" : "; there is \(models.map { "\(folder)/\($0)" }.listed())"
    throw .file("read", path, "it contains no Core Data model: it has no 'contents'\(hint)")
  }

  // MARK: Versions

  /// Returns the version that `.xccurrentversion` names, or otherwise the last version.
  private static func currentVersion(of path: String) throws(Failure) -> (name: String, note: ConversionNote?) {
    let folder = folder(path)
    let versions = models(in: folder).filter { $0.hasSuffix(".xcdatamodel") }
    guard let last = versions.last else {
      let reason =
        FilePath.isFolder(folder) ? "it contains no version of a model: no .xcdatamodel" : "No such file or directory"
      throw .file("read", path, reason)
    }
    let named = namedVersion(in: folder)
    // The name is looked up in the list of versions, so that it cannot be outside the bundle.
    if let named, versions.contains(named) {
      return (named, versions.count > 1 ? .currentVersion(named, of: versions.count) : nil)
    }
    if let named { return (last, .missingVersion(named, taken: last)) }
    return (last, versions.count > 1 ? .lastVersion(last, of: versions.count) : nil)
  }

  private static func namedVersion(in folder: String) -> String? {
    guard let bytes = try? FileReader.read("\(folder)/.xccurrentversion"), bytes.count < 1 << 16 else { return nil }
    return (try? PropertyListDecoder().decode([String: String].self, from: Data(bytes)))?["_XCCurrentVersionName"]
  }

  // MARK: Folders

  /// Returns the models in a folder, in numeric order: `Comics 2` before `Comics 10`.
  private static func models(in folder: String) -> [String] {
    FilePath.names(in: folder).filter { $0.hasSuffix(".xcdatamodel") || $0.hasSuffix(".xcdatamodeld") }
      .sorted { stem($0).compare(stem($1), options: [.numeric, .caseInsensitive]) == .orderedAscending }
  }

  /// Returns a name without the extension for comparisons, so that `Comics` precedes `Comics 2`.
  private static func stem(_ name: String) -> String {
    String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex))
  }

  /// Returns the path without trailing slashes.
  private static func folder(_ path: String) -> String {
    let end = path.lastIndex { $0 != "/" }
    return end.map { String(path[...$0]) } ?? "/"
  }
}
