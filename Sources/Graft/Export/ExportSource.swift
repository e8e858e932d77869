/// The source of an export. It stays the same while the export runs.
struct ExportSource {
  let context: ManagedObjectContext
  let options: ExportOptions
  let plan: Plan
  let layouts: PlanReference<EntityLayout>
  let state: Reference<GraphState>
  let reader: RowReader
  let graph: ImportedRows
  /// Whether an import recognizes some objects only in their surroundings (M12).
  let hasSurroundings: Bool
  /// Whether rows and lists may have to be loaded before they are written.
  let hasStore: Bool
  /// Whether the reads of the export are reported to observers.
  let isObserved: Bool

  init(_ context: ManagedObjectContext, _ options: ExportOptions) {
    self.context = context
    self.options = options
    plan = context.model.plan
    layouts = plan.layouts
    state = context.state
    reader = RowReader(context.state)
    graph = ImportedRows(plan: plan, layouts: layouts, reader: reader)
    hasSurroundings = plan.features.hasSurroundings
    hasStore = context.binding != nil
    isObserved = context.hub.isInUse
  }
}

// This extension provides only values that can be copied without cost; copies of other values would be reference-counted.
extension Exporter {
  @inline(__always) var layouts: PlanReference<EntityLayout> { source.layouts }
  @inline(__always) var state: Reference<GraphState> { source.state }
  @inline(__always) var reader: RowReader { source.reader }
  @inline(__always) var hasSurroundings: Bool { source.hasSurroundings }
  @inline(__always) var hasStore: Bool { source.hasStore }
}
