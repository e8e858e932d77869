import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("graft diagram") struct DiagramTests {
  /// A model whose names are hard to write in every format.
  private static let nasty = #"""
    {
      "name": "A \"B\" <C>",
      "entities": {
        "class": {
          "abstract": true,
          "attributes": { "a\"<b>&\\c": { "type": "string", "optional": true } },
          "relationships": { "it's": { "destination": "Big \"<Box>\" \\" } }
        },
        "Big \"<Box>\" \\": { "parent": "class" }
      }
    }
    """#

  private static let models = [
    "Cards", "Catalog", "Comics", "GitHubEvents", "Messages", "Posts", "Timetable", "Twitter",
  ]

  @Test("M12: a relationship to an owner is marked as part of the identity, in every format")
  func owners() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "model.json",
      """
      {"keyStrategy": "sameName", "entities": {
        "Order": {"identityAttributes": "id", "attributes": {"id": "string"}, "relationships": {
          "lines": {"destination": "Line", "toMany": true, "inverse": "order"}}},
        "Line": {"identityAttributes": ["order", "position"],
          "attributes": {"position": {"type": "integer32", "JSONKeyPath": "@index"}, "sku": "string"},
          "relationships": {"order": {"destination": "Order", "inverse": "lines"}}}
      }}
      """)
    #expect(
      try Invocation(["diagram", model]).output.contains(
        """
          class Line {
            position: integer32 [id]
            sku: string
            order: Order [id]
          }

        """))
    #expect(
      try Invocation(["diagram", model, "--format", "dot"]).output.contains(
        "<U>order</U></TD><TD ALIGN=\"LEFT\">Order<"))
    let svg = try Invocation(["diagram", model, "--format", "svg"]).output
    #expect(svg.contains("text-decoration=\"underline\">order<") && !svg.contains("underline\">lines<"))
  }

  @Test("Mermaid class diagrams are the default")
  func mermaid() throws {
    let graft = try Invocation("diagram Models/Comics.json")
    #expect(
      graft.output == """
        classDiagram
          class Hero {
            identifier: integer64 [id]
            name: string
            realName: string?
            gender: string?
            firstAppearance: date?
            isRetired: boolean
            height: double?
            isFavorite: boolean
          }
          class Power {
            identifier: integer64 [id]
            name: string
          }
          class Publisher {
            identifier: integer64 [id]
            name: string
            foundedIn: integer16?
            website: uri?
          }
          Hero "0..*" -- "0..*" Power : powers / heroes
          Hero "0..*" -- "0..1" Publisher : publisher / heroes
          Hero "0..*" -- "0..1" Hero : mentor / sidekicks

        """)
    #expect(graft.messages == "" && graft.status == 0)
    #expect(try Invocation("diagram --format=mermaid Models/Comics.json").output == graft.output)
  }

  @Test("DOT diagrams have tables that are connected with crow's feet")
  func dot() throws {
    let graft = try Invocation("diagram Models/Comics.json --format dot")
    #expect(
      graft.output == """
        digraph "Comics" {
          graph [rankdir=LR, nodesep=0.5, ranksep=1.2, fontname="Helvetica"]
          node [shape=plain, fontname="Helvetica", fontsize=11]
          edge [fontname="Helvetica", fontsize=10, color="#64748b"]
          "Hero" [label=<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="4">
            <TR><TD COLSPAN="2" BGCOLOR="#dbe4f0"><B>Hero</B></TD></TR>
            <TR><TD ALIGN="LEFT"><U>identifier</U></TD><TD ALIGN="LEFT">integer64</TD></TR>
            <TR><TD ALIGN="LEFT">name</TD><TD ALIGN="LEFT">string</TD></TR>
            <TR><TD ALIGN="LEFT">realName</TD><TD ALIGN="LEFT">string?</TD></TR>
            <TR><TD ALIGN="LEFT">gender</TD><TD ALIGN="LEFT">string?</TD></TR>
            <TR><TD ALIGN="LEFT">firstAppearance</TD><TD ALIGN="LEFT">date?</TD></TR>
            <TR><TD ALIGN="LEFT">isRetired</TD><TD ALIGN="LEFT">boolean</TD></TR>
            <TR><TD ALIGN="LEFT">height</TD><TD ALIGN="LEFT">double?</TD></TR>
            <TR><TD ALIGN="LEFT">isFavorite</TD><TD ALIGN="LEFT">boolean</TD></TR>
          </TABLE>>]
          "Power" [label=<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="4">
            <TR><TD COLSPAN="2" BGCOLOR="#dbe4f0"><B>Power</B></TD></TR>
            <TR><TD ALIGN="LEFT"><U>identifier</U></TD><TD ALIGN="LEFT">integer64</TD></TR>
            <TR><TD ALIGN="LEFT">name</TD><TD ALIGN="LEFT">string</TD></TR>
          </TABLE>>]
          "Publisher" [label=<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="4">
            <TR><TD COLSPAN="2" BGCOLOR="#dbe4f0"><B>Publisher</B></TD></TR>
            <TR><TD ALIGN="LEFT"><U>identifier</U></TD><TD ALIGN="LEFT">integer64</TD></TR>
            <TR><TD ALIGN="LEFT">name</TD><TD ALIGN="LEFT">string</TD></TR>
            <TR><TD ALIGN="LEFT">foundedIn</TD><TD ALIGN="LEFT">integer16?</TD></TR>
            <TR><TD ALIGN="LEFT">website</TD><TD ALIGN="LEFT">uri?</TD></TR>
          </TABLE>>]
          "Hero" -> "Power" [label="powers / heroes", dir=both, arrowhead=crowodot, headlabel="0..*", arrowtail=crowodot, taillabel="0..*"]
          "Hero" -> "Publisher" [label="publisher / heroes", dir=both, arrowhead=teeodot, headlabel="0..1", arrowtail=crowodot, taillabel="0..*"]
          "Hero" -> "Hero" [label="mentor / sidekicks", dir=both, arrowhead=teeodot, headlabel="0..1", arrowtail=crowodot, taillabel="0..*"]
        }

        """)
    #expect(graft.messages == "" && graft.status == 0)
  }

  @Test("Inheritance has its own line style, and abstract entities are marked")
  func inheritance() throws {
    let mermaid = try Invocation("diagram Models/Messages.json").output
    #expect(mermaid.contains("  class Message {\n    <<abstract>>\n"))
    #expect(mermaid.contains("\n  Message <|-- TextMessage\n"))
    let dot = try Invocation("diagram Models/Messages.json --format dot").output
    #expect(dot.contains("<I>Message</I><BR/>«abstract»"))
    #expect(dot.contains("  \"Message\" -> \"TextMessage\" [dir=back, arrowtail=empty]\n"))
    let svg = try Invocation("diagram Models/Messages.json --format svg").output
    #expect(svg.contains("<title>TextMessage is a Message</title>") && svg.contains(">abstract</text>"))
  }

  @Test("Names are escaped as each format requires")
  func names() throws {
    let mermaid = try Invocation("diagram -", input: DiagramTests.nasty).output
    #expect(
      mermaid == #"""
        classDiagram
          class entity1["class"] {
            <<abstract>>
            a#34;#60;b#62;#38;#92;c: string?
          }
          class entity2["Big #34;#60;Box#62;#34; #92;"]
          entity1 <|-- entity2
          entity1 --> "0..1" entity2 : it#39;s

        """#)
    let dot = try Invocation("diagram - --format dot", input: DiagramTests.nasty).output
    #expect(dot.hasPrefix(#"digraph "A \"B\" <C>" {"#))
    #expect(dot.contains(#"  "class" -> "Big \"<Box>\" \\" [label="it's", dir=both"#))
    #expect(dot.contains(#"<TD ALIGN="LEFT">a&quot;&lt;b&gt;&amp;\c</TD><TD ALIGN="LEFT">string?</TD>"#))
    let svg = try Picture(try Invocation("diagram - --format svg", input: DiagramTests.nasty).output)
    #expect(svg.texts.contains(#"a"<b>&\c"#) && svg.texts.contains(#"Big "<Box>" \"#))
    #expect(svg.titles.contains(#"class.it's 0..1"#))
  }

  @Test("SVG: every entity, attribute and relationship appears, and no boxes overlap", arguments: models)
  func svg(name: String) throws {
    let graft = try Invocation("diagram Models/\(name).json --format svg")
    #expect(graft.messages == "" && graft.status == 0)
    let picture = try Picture(graft.output)
    let mermaid = try Invocation("diagram Models/\(name).json").output.split(separator: "\n")
    let entities = mermaid.filter { $0.hasPrefix("  class ") }.map { $0.split(separator: " ")[1] }
    #expect(picture.boxes.count == entities.count)
    for entity in entities { #expect(picture.texts.contains(String(entity))) }
    for line in mermaid where line.hasPrefix("    ") && line != "    <<abstract>>" {
      let words = line.split(separator: ":")
      #expect(picture.texts.contains(words[0].trimmingCharacters(in: .whitespaces)), "\(line)")
    }
    let links = mermaid.filter { $0.contains(" : ") }
    #expect(picture.titles.count == links.count + mermaid.count { $0.contains(" <|-- ") })
    for link in links {
      let names = link.components(separatedBy: " : ")[1].components(separatedBy: " / ")
      let isThere = picture.titles.contains { title in
        let ends = title.components(separatedBy: " / ")
        return ends.count == names.count && zip(ends, names).allSatisfy { $0.contains(".\($1) ") }
      }
      #expect(isThere, "\(link)")
      for name in names { #expect(picture.texts.contains(name)) }
    }
    for (index, box) in picture.boxes.enumerated() {
      #expect(picture.frame.contains(box))
      for other in picture.boxes.dropFirst(index + 1) { #expect(!box.insetBy(dx: -8, dy: -8).intersects(other)) }
    }
    #expect(try Invocation("diagram Models/\(name).json --format svg").output == graft.output)
  }

  @Test("One-way, reflexive and inherited relationships are drawn")
  func odd() throws {
    let input = """
      {
        "entities": {
          "A": {
            "relationships": {
              "friends": { "destination": "A", "toMany": true, "inverse": "friends" },
              "first": { "destination": "B", "optional": false },
              "some": { "destination": "B", "toMany": true, "minCount": 2, "maxCount": 5 },
            },
          },
          "B": {},
        },
      }
      """
    #expect(
      try Invocation("diagram -", input: input).output == """
        classDiagram
          class A
          class B
          A "0..*" -- "0..*" A : friends
          A --> "1" B : first
          A --> "2..5" B : some

        """)
    let picture = try Picture(try Invocation("diagram - --format svg", input: input).output)
    #expect(picture.titles == ["A.friends 0..*", "A.first 1", "A.some 2..5"])
  }

  @Test("A model without entities produces an empty picture", arguments: ["mermaid", "dot", "svg"])
  func empty(format: String) throws {
    let graft = try Invocation("diagram - --format \(format)", input: #"{"entities": {}}"#)
    #expect(!graft.output.isEmpty && graft.messages == "" && graft.status == 0)
  }

  @Test("A model with errors is not drawn")
  func errors() throws {
    let graft = try Invocation("diagram -", input: #"{"entities": {"A": {"parent": "B"}}}"#)
    #expect(graft.output == "" && graft.status == 1)
    #expect(
      graft.messages.hasPrefix("<stdin>:1:") && graft.messages.hasSuffix("1 error in '<stdin>'; nothing was drawn\n"))
    let none = try Invocation("diagram Models/None.json")
    #expect(none.messages == "graft diagram: cannot read 'Models/None.json': No such file or directory\n")
    #expect(none.output == "" && none.status == 3)
  }
}

/// The contents of a parsed picture.
private final class Picture: NSObject, XMLParserDelegate {
  private(set) var frame = CGRect.zero
  private(set) var boxes: [CGRect] = []
  private(set) var texts: Set<String> = []
  /// The titles of the lines.
  private(set) var titles: [String] = []
  private var elements: [String] = []
  private var text = ""

  init(_ source: String) throws {
    super.init()
    let parser = XMLParser(data: Data(source.utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    func number(_ key: String) -> Double { attributes[key].flatMap(Double.init) ?? 0 }
    let rect = CGRect(x: number("x"), y: number("y"), width: number("width"), height: number("height"))
    if name == "svg" { frame = rect }
    if attributes["class"] == "box" { boxes.append(rect) }
    elements.append(name)
    text = ""
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    elements.removeLast()
    if name == "text" { texts.insert(text) }
    if name == "title", elements.last == "g" { titles.append(text) }
  }
}
