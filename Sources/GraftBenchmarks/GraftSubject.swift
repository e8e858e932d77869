import Foundation
import Graft

/// The library, as the goals see it; nil as long as it cannot import.
let graftSubject: (any Subject)? = nil
