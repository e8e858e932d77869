/// A model file that cannot be read as a tree.
package struct ModelFileSyntaxError: Error, Sendable {
  var finding: ModelFinding
  var range: SourceRange
  var note: ModelFindings.Note?
}
