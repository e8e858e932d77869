import Graft

/// Finds lists that the samples sometimes replace with their only element: `{"line": [{"n": 1}, {"n": 2}]}` and
/// `{"line": {"n": 3}}` (M22).
struct LenientLists {
  let table: ShapeTable

  /// Makes each such object in and below a shape an element of the list. Expected O(number of shapes).
  func find(from root: Int) {
    var work = [root]
    while let number = work.popLast() {
      let shape = table[number]
      if shape.number != root, isList(shape) { table.makeList(shape) }
      work += shape.members + [shape.element, shape.keyed].compactMap(\.self)
    }
  }

  private func isList(_ shape: SampleShape) -> Bool {
    guard shape.objects > 0, shape.arrays > shape.emptyArrays, shape.keyed == nil, shape.scalars == 0,
      let element = shape.element.map({ table[$0] }), element.objects > 0, element.scalars == 0, element.arrays == 0,
      element.keyed == nil
    else { return false }
    let (mine, others) = (Set(shape.memberNumbers.keys), Set(element.memberNumbers.keys))
    return 2 * mine.intersection(others).count >= min(mine.count, others.count)
  }
}
