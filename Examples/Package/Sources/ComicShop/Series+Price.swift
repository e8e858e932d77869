import Foundation

// Code that is not in the model goes into an extension. The class itself is generated.
extension Series {
  /// The total price of all issues.
  var totalPrice: Decimal { issues.reduce(0) { $0 + ($1.price ?? 0) } }
}
