import Graft

/// Payloads of known models.
///
///     setting | options | payload
enum ImportTarget {
  static func check(_ input: [UInt8]) throws {
    guard input.count > 2 else { return }
    let setting = PayloadSetting.named(by: input[0])
    let flags = input[1]
    let payload = Array(input[2...])
    let context = setting.context(hasBase: flags & 1 != 0)
    var options = ImportOptions()
    options.unknownKeys = [.ignore, .report, .error, .ignore][Int(flags >> 1 & 3)]
    options.faultyElements = flags & 8 == 0 ? .error : .skip
    options.reportsDetails = flags & 16 != 0
    if flags & 32 != 0 { options.limits.objects = 10 }

    let before = context.dumpBytes()
    do throws(ImportError) {
      try context.importJSON(payload, ofEntity: setting.entity, at: setting.keyPath, options: options)
    } catch {
      try ImportLaws.expectSame(before, context.dumpBytes(), "a failed import changed the graph")
      try ImportLaws.check(error, setting.model, length: payload.count)
      return try ImportLaws.checkInvariants(context)
    }
    try ImportLaws.checkInvariants(context)
    let after = context.dumpBytes()
    if ImportLaws.isIdempotent(setting.model), flags & 40 == 0 {
      do throws(ImportError) {
        try context.importJSON(payload, ofEntity: setting.entity, at: setting.keyPath, options: options)
      } catch { throw BrokenLaw("the second import of a payload fails: \(error)") }
      try ImportLaws.expectSame(after, context.dumpBytes(), "the second import of a payload changed something")
    }
    try checkExport(context, setting, after)
  }

  /// Importing an export into its own graph changes nothing.
  private static func checkExport(
    _ context: ManagedObjectContext, _ setting: PayloadSetting, _ before: [UInt8]
  ) throws {
    guard ImportLaws.isIdentified(setting.model),
      let export = try? context.exportAll(of: setting.entity, options: ExportOptions())
    else { return }
    do throws(ImportError) {
      try context.importJSON(export, ofEntity: setting.entity)
    } catch { throw BrokenLaw("an export cannot be imported: \(error)\n\(String(decoding: export, as: UTF8.self))") }
    try ImportLaws.expectSame(before, context.dumpBytes(), "importing an export changed something")
    try ImportLaws.checkInvariants(context)
  }
}
