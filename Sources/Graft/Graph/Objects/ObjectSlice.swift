/// A part of a relationship or live list, as it was when the slice was taken. Later changes do not affect the slice.
///
///     for power in hero.powers.prefix(2) { hero.powers.remove(power) }
///
/// The positions of a slice are the positions in the relationship or list. Creating a slice loads its objects, in time proportional to its
/// length.
public struct ObjectSlice<Element: ManagedObject>: RandomAccessCollection {
  private let objects: ArraySlice<Element>
  /// The number to add to the positions of `objects`.
  private let offset: Int

  /// - Parameter positions: the positions of the objects in the relationship or list.
  init(_ objects: [Element], at positions: Range<Int>) {
    (self.objects, offset) = (objects[...], positions.lowerBound)
  }

  private init(_ objects: ArraySlice<Element>, _ offset: Int) { (self.objects, self.offset) = (objects, offset) }

  /// The position of the first object.
  public var startIndex: Int { objects.startIndex + offset }

  /// The position after the last object.
  public var endIndex: Int { objects.endIndex + offset }

  /// The object that was at a position of the relationship or list. It may have been deleted since the slice was taken.
  public subscript(position: Int) -> Element { objects[position - offset] }

  /// The objects that were at the given positions of the relationship or list.
  public subscript(bounds: Range<Int>) -> ObjectSlice {
    ObjectSlice(objects[bounds.lowerBound - offset..<bounds.upperBound - offset], offset)
  }
}

extension ObjectSlice: CustomStringConvertible {
  /// The names of the objects, in the form of an array: `[Power(4), Power(7)]`.
  public var description: String { Array(objects).description }
}
