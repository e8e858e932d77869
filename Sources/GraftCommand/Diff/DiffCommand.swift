import Graft
import GraftSQLite
import GraftTools

/// `graft diff`: compares two versions of a model, for stores and for payloads of the old version. For a store, the model that it
/// was last written with is compared.
struct DiffCommand {
  /// The format of the differences.
  enum Format: String, CaseIterable { case text, json }

  static let options: [Arguments.Option] = [
    .init(name: "--format", value: "text|json", summary: "how the differences are written")
  ]

  let oldPath: String
  let newPath: String
  let format: Format

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: DiffCommand.options)
    format = try arguments.choice(of: "--format") ?? .text
    let paths = arguments.operands
    guard paths.count > 1 else {
      throw .usage(paths.isEmpty ? "no models are given: OLD NEW" : "no second model is given: NEW")
    }
    guard paths.count == 2 else { throw .usage("expected two models, found '\(paths[2])' after them") }
    guard paths != ["-", "-"] else { throw .usage("standard input can be read only once") }
    oldPath = paths[0]
    newPath = paths[1]
  }

  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    var reader = FileReader(streams)
    if FileReader.isDatabase(oldPath), FileReader.isDatabase(newPath) {
      streams.say(
        "the models of the two stores are compared; to compare their objects, export them with 'graft export --store'\n"
      )
    }
    let difference = ModelDifference(
      from: try model(oldPath, &reader, streams), to: try model(newPath, &reader, streams))
    switch format {
    case .text:
      try streams.write(DiffText(difference, streams).text)
      streams.say(DiffText.summary(difference))
    case .json: try streams.write(difference.json.prettyText)
    }
    return difference.plan.isPossible ? .done : .failed
  }

  /// Loads a model, or the model of a store. Only the names of the transformers of the user's program matter.
  private func model(
    _ path: String, _ reader: inout FileReader, _ streams: Streams
  ) throws(Failure) -> ManagedObjectModel {
    let address = try StoreAddress(path)
    if address.isDatabase || FileReader.isDatabase(path) {
      return try StoreFiles.model(ofStore: address, isOnlyStored: true)
    }
    return try StoreFiles.model(
      path, &reader, streams, outcome: "nothing was compared", isQuiet: true, isOnlyStored: true)
  }
}
