import Testing

@Suite("Time zones and locales") struct LocaleTests {
  private static let model = #"""
    {"keyStrategy": "sameName", "entities": {"T": {"attributes": {
      "integer": {"type": "integer64", "JSONTransformerName": "StringToInteger"},
      "decimal": {"type": "decimal", "JSONTransformerName": "StringToDecimal"},
      "double": {"type": "double", "JSONTransformerName": "StringToDouble"},
      "time": {"type": "date", "JSONTransformerName": "UnixTime"},
      "day": {"type": "date", "JSONTransformerName": "DateFormat(yyyy-MM-dd)"},
      "moment": {"type": "date", "JSONTransformerName": "DateFormat(EEE MMM dd HH:mm:ss Z yyyy)"},
      "short": {"type": "date", "JSONTransformerName": "DateFormat(yy-M-d h:mm a)"},
      "week": {"type": "date", "JSONTransformerName": "DateFormat(YYYY-'W'ww-e)"},
      "plain": "date",
      "lower": {"type": "string", "JSONTransformerName": "Lowercase"}
    }}}}
    """#
  private static let payload = #"""
    [{"integer":"-42","decimal":"1234.5","double":"0.5","time":1711850400.25,"day":"2024-03-31",
      "moment":"Sun Mar 31 02:30:00 +0000 2024","short":"24-3-31 2:30 AM","week":"2024-W14-1",
      "plain":"2024-03-31T02:30:00Z","lower":"title"}]
    """#

  @Test(
    "T2: the program reads and writes the same bytes regardless of the time zone and locale",
    arguments: [
      ("UTC", "C"), ("Europe/Berlin", "de_DE.UTF-8"), ("America/New_York", "en_US.UTF-8"),
      ("Asia/Kolkata", "hi_IN.UTF-8"),
      ("Asia/Riyadh", "ar_SA.UTF-8"), ("Europe/Istanbul", "tr_TR.UTF-8"), ("Asia/Tehran", "fa_IR.UTF-8"),
      ("Asia/Bangkok", "th_TH.UTF-8"), ("Pacific/Apia", "ja_JP.UTF-8"), ("Pacific/Kiritimati", "POSIX"),
      ("No/Such_Zone", "xx_XX"),
    ])
  func everywhere(zone: String, locale: String) throws {
    let folder = try TemporaryFolder()
    let model = try folder.file("model.json", Self.model)
    let payload = try folder.file("payload.json", Self.payload)
    let graft = try Invocation(
      ["import", "--model", model, "T=\(payload)", "--export", "T=\(folder.path("out.json"))"],
      environment: ["TZ": zone, "LC_ALL": locale, "LANG": locale])
    #expect(graft.messages == "" && graft.status == 0)
    // Only the layout is different.
    #expect(try folder.text("out.json").filter { !$0.isWhitespace } == Self.payload.filter { !$0.isWhitespace })
  }
}
