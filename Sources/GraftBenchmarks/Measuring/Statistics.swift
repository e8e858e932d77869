import Foundation

enum Statistics {
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Returns the best-fitting exponent k of time = c * size^k (least squares of the logarithms).
  static func growthExponent(_ points: [(size: Double, seconds: Double)]) -> Double {
    let logarithms = points.map { (x: log($0.size), y: log($0.seconds)) }
    let count = Double(points.count)
    let meanX = logarithms.reduce(0) { $0 + $1.x } / count
    let meanY = logarithms.reduce(0) { $0 + $1.y } / count
    let covariance = logarithms.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
    let variance = logarithms.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    return covariance / variance
  }
}
