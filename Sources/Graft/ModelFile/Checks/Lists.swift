extension ModelChecker {
  /// Checks the keys of a list, and that only a list has them (M13).
  func checkList(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    guard attribute.isList else {
      guard attribute.source.isReadable(.list) else { return }
      for (word, value) in [
        (ModelFileKey.minCount, attribute.validation.minCount), (.maxCount, attribute.validation.maxCount),
      ]
      where value != nil {
        findings.report(.countWithoutList(word, of: subject.name), at: subject.place(of: word))
      }
      if attribute.isLenient {
        findings.report(
          .misplacedForm(ModelFileKey.lenient.rawValue, of: subject.name.quoted, "it is a single value, not a list"),
          at: subject.place(of: .lenient))
      }
      return
    }
    let validation = attribute.validation
    if let least = validation.minCount, least < 0 {
      findings.report(.negativeBound(.minCount, of: subject.name, least), at: subject.place(of: .minCount))
    }
    if let most = validation.maxCount, most < 1 {
      findings.report(.maxCountBelowOne(subject.name, most), at: subject.place(of: .maxCount))
    } else if let least = validation.minCount, let most = validation.maxCount, least > most {
      findings.report(
        .impossibleBounds(.minCount, "\(least)", .maxCount, "\(most)", of: subject.name),
        at: subject.place(of: .minCount), notes: [.init("'maxCount' is given here", at: subject.place(of: .maxCount))])
    } else if case .list(let elements)? = attribute.defaultValue {
      check(elements.count, validation, subject)
    }
  }

  /// Checks the number of elements of the default.
  private func check(_ count: Int, _ validation: AttributeValidation, _ subject: AttributeSubject) {
    let broken: (word: ModelFileKey, limit: Int)? =
      if let least = validation.minCount, count < least {
        (.minCount, least)
      } else if let most = validation.maxCount, count > most {
        (.maxCount, most)
      } else {
        nil
      }
    guard let broken else { return }
    findings.report(
      .brokenCount(of: subject.name, count, broken.word, broken.limit), at: subject.place(of: .default),
      notes: [.init("\(broken.word.quoted) is given here", at: subject.place(of: broken.word))])
  }

  /// Checks that no mapper and no mark reads a single value at the key path of a list, in the same line of inheritance (M13).
  func checkListKeyPaths() {
    var readers: [JSONKeyPath: [(entity: Int, name: String, place: SourcePlace)]] = [:]
    for (number, entity) in index.entities.enumerated() {
      if let mapper = entity.entityMapper {
        let name = "the mapper of \(entity.name.quoted)"
        readers[mapper.keyPath, default: []].append((number, name, entity.source.place(of: .JSONKeyPath)))
      }
      if let mark = entity.deletedWhen {
        let name = "'deletedWhen' of \(entity.name.quoted)"
        readers[mark.keyPath, default: []].append((number, name, mark.source.place(of: .JSONKeyPath)))
      }
    }
    guard !readers.isEmpty else { return }
    for (number, entity) in index.entities.enumerated() {
      for attribute in entity.attributes where attribute.isList {
        let paths = [attribute.keyPath].compactMap(\.self) + attribute.keyPathAliases
        let candidates = paths.lazy.flatMap { readers[$0] ?? [] }
        let reader = candidates.first {
          index.inherits($0.entity, from: number) || index.inherits(number, from: $0.entity)
        }
        guard let reader else { continue }
        findings.report(
          .misplacedList("\(entity.name).\(attribute.name)", "\(reader.name) reads a single value at its key path"),
          at: attribute.source.place(of: .list), notes: [.init("it is given here", at: reader.place)])
      }
    }
  }
}
