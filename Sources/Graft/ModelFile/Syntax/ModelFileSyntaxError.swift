/// A syntax error in a model file.
package struct ModelFileSyntaxError: Sendable {
  var finding: ModelFinding
  var range: SourceRange
  var notes: [ModelFindings.Note] = []
}
