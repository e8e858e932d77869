extension ModelDescription.KeyStrategy {
  /// Returns the key path of a property that does not declare one ([M7](doc:Rules#M7)), or nil if it is neither imported nor exported.
  ///
  ///     ModelDescription.KeyStrategy.snakeCase.keyPath(ofProperty: "imageURL")       // image_url
  ///
  /// The name is a single key, even if it contains a dot.
  public func keyPath(ofProperty name: String) -> JSONKeyPath? {
    switch self {
    case .explicit: nil
    case .sameName: JSONKeyPath(keys: [name])
    case .snakeCase: JSONKeyPath(keys: [Self.snakeCase(name)])
    }
  }

  /// Returns a name in snake case. A new word begins at an upper-case letter that follows a lower-case letter or a digit.
  /// It also begins at the last of several upper-case letters if a lower-case letter follows.
  ///
  ///     realName   real_name        URLPath    url_path         address2Line   address2_line
  ///     imageURL   image_url        userIDs    user_ids         line2          line2
  static func snakeCase(_ name: String) -> String {
    let letters = Array(name.unicodeScalars)
    func isUpper(_ index: Int) -> Bool { letters.indices.contains(index) && letters[index].properties.isUppercase }
    func isLower(_ index: Int) -> Bool { letters.indices.contains(index) && letters[index].properties.isLowercase }
    /// Returns whether the letter is the plural `s` of an abbreviation, as in `userIDs`. It belongs to the letters before it.
    func isPlural(_ index: Int) -> Bool { letters[index] == "s" && !isLower(index + 1) }
    var words = ""
    for index in letters.indices {
      if isUpper(index), index > 0 {
        let followsWord = isLower(index - 1) || letters[index - 1].properties.numericType != nil
        let beginsWord = isUpper(index - 1) && isLower(index + 1) && !isPlural(index + 1)
        if followsWord || beginsWord { words += "_" }
      }
      words += letters[index].properties.lowercaseMapping
    }
    return words
  }
}
