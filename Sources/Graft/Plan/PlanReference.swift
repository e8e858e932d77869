/// A part of a plan, such as a slot, a layout or a step, or the first of several consecutive parts, which is read in place. The reference
/// is valid as long as the plan exists.
///
///     layouts[entity].slots + number      the slot of a property: `PlanReference<SlotPlan>`
typealias PlanReference = Address
