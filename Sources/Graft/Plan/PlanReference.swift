/// A part of a plan, or the first one of some that follow each other, read in place: a slot, a layout, a step.
///
///     layouts[entity].slots + number      the slot of a property: `PlanReference<SlotPlan>`
///
/// It stores an address and nothing else, so it is as cheap as one. Unsafe: it is valid as long as the plan, and is not checked to
/// lie within it.
struct PlanReference<Part>: @unchecked Sendable {
  /// Only for the plan itself, until it is complete.
  let address: UnsafeMutablePointer<Part>

  @inline(__always) init(_ address: UnsafeMutablePointer<Part>) { self.address = address }

  var pointee: Part {
    @inline(__always) unsafeAddress { UnsafePointer(address) }
  }

  subscript(index: Int) -> Part {
    @inline(__always) unsafeAddress { UnsafePointer(address + index) }
  }

  @inline(__always) static func + (first: PlanReference, index: Int) -> PlanReference {
    PlanReference(first.address + index)
  }

  /// How many parts there are between two.
  @inline(__always) static func - (part: PlanReference, first: PlanReference) -> Int { part.address - first.address }
}
