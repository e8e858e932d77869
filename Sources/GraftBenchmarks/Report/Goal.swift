/// The goals that this program measures.
///
/// P13 counts instructions, which requires valgrind, and DB needs the database that GRAFT_BENCH_DATABASE names. Without them, these
/// goals are skipped. P23 compares an import with simdjson's DOM parse of the same bytes. It is not measured, because simdjson
/// would be a dependency.
enum Goal: String, CaseIterable {
  case p1 = "P1"
  case p2 = "P2"
  case p3 = "P3"
  case p4 = "P4"
  case p5 = "P5"
  case p6 = "P6"
  case p7 = "P7"
  case p8 = "P8"
  case p9 = "P9"
  case p10 = "P10"
  case p11 = "P11"
  case p12 = "P12"
  case p13 = "P13"
  case p14 = "P14"
  case p15 = "P15"
  case p16 = "P16"
  case p17 = "P17"
  case p18 = "P18"
  case p19 = "P19"
  case p20 = "P20"
  case p21 = "P21"
  case p22 = "P22"
  case q7 = "Q7"
  case s11 = "S11"
  case database = "DB"

  var title: String {
    switch self {
    case .p1: "import against JSONDecoder and hand-written uniquing"
    case .p2: "the same, identifiers only"
    case .p3: "whole import against JSONSerialization parsing"
    case .p4: "repeated import / first import; growth of memory over 10 of them"
    case .p5: "merge with a tenth changed / first import (baseline: its own)"
    case .p6: "export against records and JSONEncoder"
    case .p7: "live bytes of an object / of typed classes"
    case .p8: "peak memory above the input / bytes of the input"
    case .p9: "exponent of the growth of import time"
    case .p10: "import of dictionaries / hand-written typed merge"
    case .p11: "reading an attribute (baseline: a stored property)"
    case .p12: "hostile input, time per byte / benign input"
    case .p13: "instructions per byte"
    case .p14: "loading a model of 50 entities with 20 properties"
    case .p15: "growth exponents of graph operations (baseline: class instances)"
    case .p16: "a change of a large to-many / of one of 100 members"
    case .p17: "sorted fetch / sorting class instances; with a limit / their minimum"
    case .p18: "live bytes after 300 rounds of inserts and deletions / after 10"
    case .p19: "exporting dictionaries / building them by hand; growth exponent"
    case .p20: "stream / the same bytes as one payload"
    case .p21: "reading a property; find / a dictionary of class instances"
    case .p22: "handing over one change to another context"
    case .q7: "one change of a live list, of many objects / of few"
    case .s11: "a store against JSONDecoder and hand-written SQLite statements"
    case .database: "a store in PostgreSQL against hand-written statements"
    }
  }

  var order: Int { Goal.allCases.firstIndex(of: self) ?? 0 }
}
