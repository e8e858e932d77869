import Graft
import GraftTools

/// Collects the notes of a conversion, and returns them in file order.
struct ConversionNotes {
  /// The maximum number of notes that are shown; the rest are counted. Finding the line of each note takes time.
  private static let most = 1000

  private let source: SourceText
  private var notes: [ConversionNote] = []

  init(_ source: SourceText) { self.source = source }

  mutating func add(_ note: ConversionNote) { notes.append(note) }

  /// A line for each note.
  var text: String {
    let order = notes.indices.sorted { (offset(notes[$0]), $0) < (offset(notes[$1]), $1) }
    let rest = order.count > Self.most ? "\(order.count - Self.most) more notes are not shown\n" : ""
    return order.prefix(Self.most).map { notes[$0].text + "\n" }.joined() + rest
  }

  private func offset(_ note: ConversionNote) -> Int { note.place?.range.offset ?? -1 }

  // MARK: Words that are not read

  /// Reports the words that are not read: words that only concern a store on one line, and each unknown word on its own line.
  mutating func addUnknownWords(in root: XMLTag) {
    var found = Words()
    found.look(at: root)
    if let place = found.storagePlace {
      add(.storage(found.storage, place.place(in: source)))
    }
    for (word, use) in found.unknown {
      switch word {
      case .attribute(let name, let element):
        add(.unknownAttribute(name, of: element, use.count, use.first.place(of: name, in: source)))
      case .element(let name, let parent):
        add(.unknownElement(name, in: parent, use.count, use.first.place(in: source)))
      }
    }
  }

  /// The words of a model that are not converted.
  private struct Words {
    /// A word that the program does not know, and its location.
    enum Unknown: Hashable {
      case attribute(String, of: String)
      case element(String, in: String)
    }

    private(set) var storage: [(noun: String, count: Int)] = []
    private(set) var storagePlace: XMLTag?
    private(set) var unknown: [Unknown: (count: Int, first: XMLTag)] = [:]

    mutating func look(at tag: XMLTag) {
      for name in tag.attributes.keys.sorted() where !CoreDataVocabulary.knows(attribute: name, of: tag.name) {
        if let noun = CoreDataVocabulary.storageAttributes[name] {
          count(noun, tag)
        } else {
          unknown[.attribute(name, of: tag.name), default: (0, tag)].count += 1
        }
      }
      for child in tag.children {
        if let noun = CoreDataVocabulary.storageElements[child.name] {
          count(noun, child)
        } else if !CoreDataVocabulary.knows(element: child.name, in: tag.name) {
          unknown[.element(child.name, in: tag.name), default: (0, child)].count += 1
        } else if ["entity", "attribute", "relationship"].contains(child.name) {
          look(at: child)
        }
      }
    }

    private mutating func count(_ noun: String, _ tag: XMLTag) {
      if storagePlace == nil { storagePlace = tag }
      if let index = storage.firstIndex(where: { $0.noun == noun }) {
        storage[index].count += 1
      } else {
        storage.append((noun, 1))
      }
    }
  }
}
