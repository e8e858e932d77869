/// A part of a plan, or the first one of some that follow each other, read in place: a slot, a layout, a step. It is valid as long
/// as the plan.
///
///     layouts[entity].slots + number      the slot of a property: `PlanReference<SlotPlan>`
typealias PlanReference = Address
