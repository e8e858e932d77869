/// The words that responses use for what they contain besides their data. Keys are compared without case and separators.
enum ResponseWords {
  /// Keys of envelopes whose objects describe the response, not its data.
  static let descriptions: Set<String> = [
    "meta", "metadata", "paging", "pagination", "links", "_links", "request", "response", "error", "errors",
    "status", "query", "context", "info", "debug", "headers", "search_metadata", "jsonapi", "continue",
    "responseheader", "pageinfo", "page_info", "pageable", "response_metadata", "extensions", "next_page", "sort",
    "_shards", "total",
  ]
  /// Those of the descriptions that may be data: only with nothing but the words of responses inside, they describe one.
  static let ambiguous: Set<String> = ["metadata", "info", "context"]
  /// Those of the descriptions that contain the data in some services.
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
  /// Those of them that objects have as well: they are remarks only beside others.
  static let uncertainRemarks: Set<String> = [
    "url", "href", "self", "kind", "path", "from", "to", "first", "last", "number", "empty", "expand", "start",
    "done", "query", "params", "apiversion", "uri", "end", "type",
  ]
  /// The last words of keys of scalars that lead from one page to the next.
  static let places: Set<String> = ["token", "cursor", "marker", "offset"]

  // MARK: Other pages

  /// Says where a page is, or leads to others.
  private static let positions: Set<String> = [
    "previous", "prev", "offset", "cursor", "page", "pageinfo", "paging", "pagination", "token", "nextpage",
    "startat", "endcursor",
  ]
  /// Says whether there are other pages.
  static let decisions: Set<String> = ["hasmore", "hasnextpage", "hasnext", "limited", "istruncated"]
  /// Leads to the next page.
  static let links: Set<String> = [
    "next", "nexturl", "nextlink", "nextpageurl", "nextcursor", "nextpagetoken", "nexttoken", "prevbatch",
    "continue",
  ]
  /// All of them.
  static let others = positions.union(decisions).union(links)
  /// Those of them that objects never have for themselves.
  static let certain: Set<String> = [
    "hasmore", "nextpagetoken", "nextcursor", "endcursor", "hasnextpage", "prevbatch", "nextlink", "pageinfo",
    "pagination",
  ]
}
