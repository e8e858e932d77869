/// The first word of a row.
///
///     | epoch: 32 bits | flags: 16 bits | entity: 16 bits |
struct RowHeader: Equatable {
  var bits: UInt64

  @inline(__always) private static var entityMask: UInt64 { 1 << ModelLimits.entityBits - 1 }
  private static let epochMask: UInt64 = 0xFFFF_FFFF << 32
  /// The object is known only by its identifier (I4).
  static let placeholder: UInt64 = 1 << 16
  static let deleted: UInt64 = 1 << 17
  /// The object is being written at an outer level of the current export (E2).
  static let onPath: UInt64 = 1 << 18
  /// The row has already occurred in the array that is being read (I5).
  static let listed: UInt64 = 1 << 19
  /// The value of the mapper's key was a number or a boolean, not a string (D4, E4).
  static let bareDiscriminator: UInt64 = 1 << 20
  /// A dictionary of the current import describes the object; valid only while the epoch is the current epoch.
  static let described: UInt64 = 1 << 21
  /// A dictionary of the current import changed the object; valid only while the epoch is the current epoch.
  static let changed: UInt64 = 1 << 22
  /// The store has the object, so it is not new, even if it was loaded later than new objects.
  static let stored: UInt64 = 1 << 23
  /// Only the location of the object in the store is known. It must be loaded before any of its values are read.
  static let fault: UInt64 = 1 << 24

  /// The object is among the objects of the deletion that is being evaluated.
  static let doomed: UInt64 = 1 << 25

  private static let importMarkShift: UInt64 = 21

  @inline(__always) init(bits: UInt64) { self.bits = bits }

  /// - Parameter flags: the flags of a new row.
  @inline(__always) init(entity: Int, _ flags: UInt64 = 0) { bits = UInt64(entity) | flags }

  @inline(__always) var entity: Int {
    get { Int(truncatingIfNeeded: bits & RowHeader.entityMask) }
    set { bits = bits & ~RowHeader.entityMask | UInt64(newValue) }
  }
  @inline(__always) var epoch: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }

  @inline(__always) var isPlaceholder: Bool { bits & RowHeader.placeholder != 0 }
  @inline(__always) var isDeleted: Bool { bits & RowHeader.deleted != 0 }
  @inline(__always) var isOnPath: Bool { bits & RowHeader.onPath != 0 }
  @inline(__always) var isListed: Bool { bits & RowHeader.listed != 0 }
  @inline(__always) var hasBareDiscriminator: Bool { bits & RowHeader.bareDiscriminator != 0 }
  @inline(__always) var isDoomed: Bool { bits & RowHeader.doomed != 0 }
  @inline(__always) var isDescribed: Bool { bits & RowHeader.described != 0 }
  @inline(__always) var isChanged: Bool { bits & RowHeader.changed != 0 }
  @inline(__always) var isStored: Bool { bits & RowHeader.stored != 0 }
  @inline(__always) var isFault: Bool { bits & RowHeader.fault != 0 }
  /// Whether the row has an object whose values are in memory.
  @inline(__always) var isLoaded: Bool { bits & (RowHeader.deleted | RowHeader.fault) == 0 }
  /// Whether the row has an object that the store does not contain.
  @inline(__always) var isInserted: Bool { bits & (RowHeader.stored | RowHeader.deleted) == 0 }
  /// Whether the row is exempt from validation.
  @inline(__always) var isNotValidated: Bool {
    bits & (RowHeader.placeholder | RowHeader.deleted | RowHeader.fault) != 0
  }

  /// Whether the row holds a full object of exactly this entity.
  @inline(__always) func isFull(_ entity: Int) -> Bool {
    bits & (RowHeader.entityMask | RowHeader.placeholder) == UInt64(entity)
  }

  /// The entity, and the flags that belong to the object rather than to its context.
  var contents: RowHeader {
    RowHeader(bits: bits & (RowHeader.entityMask | RowHeader.placeholder | RowHeader.bareDiscriminator))
  }

  @inline(__always) func with(_ flag: UInt64, _ isSet: Bool) -> RowHeader {
    RowHeader(bits: isSet ? bits | flag : bits & ~flag)
  }

  /// Whether the object has the same entity as before, and is still a placeholder or still a full object.
  func isSameKind(as other: RowHeader) -> Bool { entity == other.entity && isPlaceholder == other.isPlaceholder }

  // MARK: The current import

  /// Whether a dictionary of an import describes the object.
  ///
  /// - Parameter epoch: the epoch of that import.
  @inline(__always) func isDescribed(in epoch: UInt32) -> Bool { self.epoch == epoch && isDescribed }

  /// The state of the object in the current import: whether the import describes it and has changed it.
  var importMarks: UInt8 { UInt8(truncatingIfNeeded: bits >> RowHeader.importMarkShift & 3) }

  /// The header of a row that an import touches for the first time, or again after an interruption.
  @inline(__always) func touched(in epoch: UInt32, importMarks: UInt8 = 0) -> RowHeader {
    let rest = bits & ~(RowHeader.epochMask | RowHeader.described | RowHeader.changed)
    return RowHeader(bits: rest | UInt64(importMarks) << RowHeader.importMarkShift | UInt64(epoch) << 32)
  }

  /// The header without the marks of imports.
  var untouched: RowHeader { RowHeader(bits: bits & ~RowHeader.epochMask) }
}
