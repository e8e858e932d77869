/// A reader of a context's graph that copies it before it changes; see ``ParentSnapshot``.
protocol GraphReader: AnyObject {
  /// Copies the graph, unless that has been done, and reads the copy from now on.
  func copyGraph()
}
