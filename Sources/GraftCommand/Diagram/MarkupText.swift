extension String {
  /// The text escaped for XML and for Graphviz's HTML-like labels, between tags or in quotes.
  var escapedForMarkup: String {
    unicodeScalars.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
  }
}
