import Foundation

// What is not in the model is an extension. The class itself is generated.
extension Series {
  /// What all issues cost together.
  var totalPrice: Decimal { issues.reduce(0) { $0 + ($1.price ?? 0) } }
}
