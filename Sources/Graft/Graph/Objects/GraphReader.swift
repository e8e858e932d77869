/// An object that reads a context's graph, and copies the graph before the graph changes; see ``ParentSnapshot``.
protocol GraphReader: AnyObject {
  /// Copies the graph, unless it has been copied, and reads the copy from then on.
  func copyGraph()
}
