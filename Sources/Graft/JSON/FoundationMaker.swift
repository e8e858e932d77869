import Foundation

/// Builds Foundation values from a tree without recursion. Open containers are in `frames` and grow there in place, because changing a copy
/// of a frame would copy everything built so far.
struct FoundationMaker {
  private struct Frame {
    enum Content {
      case array([JSON])
      case object([JSONObject.Member])
    }

    let content: Content
    var next = 0
    var elements: [Any] = []
    var members: [String: Any] = [:]

    init(_ elements: [JSON]) {
      content = .array(elements)
      self.elements.reserveCapacity(elements.count)
    }

    init(_ object: JSONObject) {
      content = .object(object.members)
      members.reserveCapacity(object.count)
    }

    /// Adds the value of the most recently opened element or member.
    mutating func take(_ value: Any) {
      switch content {
      case .array: elements.append(value)
      case .object(let all): members[all[next].key] = value
      }
      next += 1
    }

    /// The next value to convert, or nil at the end. (A literal `nil` would be read as JSON's null.)
    var source: JSON? {
      switch content {
      case .array(let all): next < all.count ? .some(all[next]) : .none
      case .object(let all): next < all.count ? .some(all[next].value) : .none
      }
    }

    var whole: Any {
      switch content {
      case .array: elements
      case .object: members
      }
    }
  }

  private var frames: [Frame] = []

  mutating func convert(_ value: JSON) -> Any {
    var result = open(value)
    while let top = frames.indices.last {
      if let done = result { frames[top].take(done) }
      if let next = frames[top].source {
        result = open(next)
      } else {
        let whole = frames.removeLast().whole
        if frames.isEmpty { return whole }
        result = whole
      }
    }
    return result ?? NSNull()
  }

  /// Converts a scalar. For an array or object, opens it and returns nil.
  private mutating func open(_ value: JSON) -> Any? {
    switch value {
    case .null: return NSNull()
    case .boolean(let value): return value
    case .number(let value): return value.foundationValue
    case .string(let value): return value
    case .array(let elements):
      frames.append(Frame(elements))
      return nil
    case .object(let object):
      frames.append(Frame(object))
      return nil
    }
  }
}
