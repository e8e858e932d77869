/// The words that responses use for contents other than their data. Keys are compared without case and separators.
enum ResponseWords {
  /// Keys of envelopes whose objects describe the response, not its data.
  static let descriptions: Set<String> = [
    "meta", "metadata", "paging", "pagination", "links", "_links", "request", "response", "error", "errors",
    "status", "query", "context", "info", "debug", "headers", "search_metadata", "jsonapi", "continue",
    "responseheader", "pageinfo", "page_info", "pageable", "response_metadata", "extensions", "next_page", "sort",
    "_shards", "total",
  ]
  /// Descriptions that may be data. They describe the response only if they contain only words of responses.
  static let ambiguous: Set<String> = ["metadata", "info", "context"]
  /// Descriptions that contain the data in some services.
  static let wrappers: Set<String> = ["response", "query"]
  /// Keys of scalars that envelopes have.
  static let remarks: Set<String> = [
    "count", "total", "page", "pages", "perpage", "limit", "offset", "next", "previous", "prev", "status", "ok",
    "success", "version", "code", "message", "error", "took", "hasmore", "cursor", "timestamp", "time",
    "totalcount", "object", "etag", "nextpage", "totalpages", "nextcursor", "pagesize", "size", "timezone",
    "generatedat", "nexturl", "nextpageurl", "prevurl", "prevpageurl", "previouspageurl", "nextlink", "istruncated",
    "requestid", "maxresults", "maxitems", "totalresults", "totalsize", "totalitems", "totalelements", "totalhits",
    "resultcount", "resultsizeestimate", "resultsperpage", "numberofelements", "startat", "startindex",
    "itemsperpage", "islast", "islastpage", "pagelen", "currentpage", "lastpage", "firstpageurl", "lastpageurl",
    "pagenumber", "incompleteresults", "incompletesearch", "found", "copyright", "attributiontext",
    "attributionhtml", "nbhits", "nbpages", "hitsperpage", "processingtimems", "cachets", "pincount", "firstid",
    "lastid", "requestedat", "timedout", "maxscore", "firstpageuri", "lastpageuri", "nextpageuri",
    "previouspageuri", "prevpageuri", "after", "before", "dist", "modhash", "geofilter", "pageordatabase", "skip",
  ]
  /// Remarks that objects also have: they are remarks only next to other remarks.
  static let uncertainRemarks: Set<String> = [
    "url", "href", "self", "kind", "path", "from", "to", "first", "last", "number", "empty", "expand", "start",
    "done", "query", "params", "apiversion", "uri", "end", "type",
  ]
  /// The last words of keys of scalars that lead from one page to the next.
  static let places: Set<String> = ["token", "cursor", "marker", "offset"]

  // MARK: Other pages

  /// Keys that state where a page is, or lead to other pages.
  private static let positions: Set<String> = [
    "previous", "prev", "offset", "cursor", "page", "pageinfo", "paging", "pagination", "token", "nextpage",
    "startat", "endcursor",
  ]
  /// Keys that state whether there are other pages.
  static let decisions: Set<String> = ["hasmore", "hasnextpage", "hasnext", "limited", "istruncated"]
  /// Keys that lead to the next page.
  static let links: Set<String> = [
    "next", "nexturl", "nextlink", "nextpageurl", "nextcursor", "nextpagetoken", "nexttoken", "prevbatch",
    "continue",
  ]
  /// All of these keys.
  static let others = positions.union(decisions).union(links)
  /// The keys among these that objects never have for themselves.
  static let certain: Set<String> = [
    "hasmore", "nextpagetoken", "nextcursor", "endcursor", "hasnextpage", "prevbatch", "nextlink", "pageinfo",
    "pagination",
  ]
}
