/// A reader of a context's graph, which copies the graph before it changes; see ``ParentSnapshot``.
protocol GraphReader: AnyObject {
  /// Copies the graph, unless it has been copied, and reads the copy from then on.
  func copyGraph()
}
