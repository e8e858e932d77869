/// An unknown identifier that was ignored, or a dictionary that was skipped (I12).
struct Skip {
  var entity: Int
  var name: String
  var offset: Int
}
