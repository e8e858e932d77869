/// Finds the part of an envelope that a document is about, if its keys show it.
///
///     {"data": {...}, "included": [...]}              "data", in JSON:API
///     {"results": [...], "facets": [...]}             "results"
enum MainPart {
  /// The keys of objects that supplement the objects under "data".
  private static let supplements: Set<String> = ["included", "includes"]

  /// Returns the main part among the parts of an envelope, or nil if their keys do not show which part it is.
  ///
  /// - Parameter depth: the number of keys of the envelope itself.
  static func find(among parts: [SampleRoot], depth: Int) -> SampleRoot? {
    func key(_ part: SampleRoot) -> String { part.keys[depth].lowercased() }
    let parts = parts.filter { $0.keys.count > depth }
    let data = parts.filter { key($0) == "data" && $0.keys.count == depth + 1 }
    if data.count == 1, parts.contains(where: { supplements.contains(key($0)) }) { return data[0] }
    let lists = parts.filter { part in
      part.isList && part.keys.last.map { ObjectSiteFinder.pages.contains($0.lowercased()) } == true
    }
    return lists.count == 1 ? lists[0] : nil
  }
}
