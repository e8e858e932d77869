import Foundation
import Graft

/// A `graft-generate.json`: options of `graft generate` for the models of one target.
///
///     {"access": "public", "Shop.model.json": {"namespace": "Shop"}}
///
/// The program reads this file, rather than the plugin, because SwiftPM runs a plugin again only when files are added or removed,
/// but runs a command again whenever one of its inputs changes.
struct GenerateOptionsFile {
  private enum Value: Decodable {
    case word(String)
    case model([String: String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let word = try? container.decode(String.self) {
        self = .word(word)
      } else {
        self = .model(try container.decode([String: String].self))
      }
    }
  }

  /// The options that are set only on the command line, because they are about the files of one run.
  private static let excluded = ["--output", "--check", "--options"]

  private let path: String
  private let values: [String: Value]

  /// Reads the file.
  init(path: String) throws(Failure) {
    self.path = path
    let bytes = try FileReader.read(path)
    do {
      values = try JSONDecoder().decode([String: Value].self, from: Data(bytes))
    } catch {
      throw .usage(
        "\(FilePath.shown(path)): expected an object of options, such as {\"access\": \"public\"}, or an object with the options of one "
          + "model, such as {\"Shop.model.json\": {\"namespace\": \"Shop\"}}")
    }
  }

  /// Returns the options of a model: its own, followed by the options for all models. An option of `words` takes precedence over both.
  ///
  /// - Parameter model: the path of the model file.
  func words(forModel model: String, besides words: Arguments) throws(Failure) -> [String] {
    var options: [String: String] = [:]
    for case (let name, .word(let word)) in values { options[name] = word }
    let file = model.parts(between: "/").last ?? model
    if case .model(let own)? = values[file] { options.merge(own) { $1 } }
    let known = GenerateCommand.options.map(\.name).filter { !GenerateOptionsFile.excluded.contains($0) }
    var found: [String] = []
    for (name, word) in options.sorted(by: { $0.key < $1.key }) {
      let option = "--\(name)"
      guard known.contains(option) else {
        throw .usage(
          "\(FilePath.shown(path)): there is no option '\(name)' for the classes of a model",
          suggestion: Suggestion.nearest(to: option, among: known).map { String($0.dropFirst(2)) })
      }
      if !words.has(option) { found.append("\(option)=\(word)") }
    }
    return found
  }
}
