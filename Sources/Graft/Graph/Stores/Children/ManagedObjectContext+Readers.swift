/// Child contexts that read the parent's graph itself, rather than a copy, until the graph changes.
///
///     child reads      the parent's graph is not copied                   ParentSnapshot adds itself to `activity`
///     observers run    they may read a child, or do anything else
///     willChange()     the graph is copied for the children that read it
///     change           no code of the program runs between willChange() and the change
///
/// This order holds for every change: setters, insertions, deletions, transactions, imports, rollbacks, merges, the closing of gaps and the
/// replacement of all rows. A debug build checks this at each read through a child (``ParentSnapshot/context``).
extension ManagedObjectContext {
  /// Copies the graph for the child contexts that read it, because the graph is about to change.
  @inline(never)
  func willChange() {
    for reader in activity.pointee.takeReaders() { reader.copyGraph() }
  }

  /// Prepares a change again, because code of the program may have run since the call began, in observers that are notified in advance.
  func willChangeAfterObservers() {
    activity.pointee.noteCall()
    willChange()
  }
}
