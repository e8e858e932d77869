/// The model of the workload `posts`.
enum PostsModel {
  static let text = """
    {
      "name": "Posts",
      "entities": {
        "Post": {
          "identityAttributes": "identifier",
          "attributes": {
            "identifier": {"type": "integer64", "JSONKeyPath": "id"},
            "userIdentifier": {"type": "integer64", "JSONKeyPath": "user_id"},
            "title": {"type": "string", "JSONKeyPath": "title"},
            "slug": {"type": "string", "JSONKeyPath": "slug"},
            "body": {"type": "string", "JSONKeyPath": "body"},
            "score": {"type": "double", "JSONKeyPath": "score"},
            "rating": {"type": "double", "JSONKeyPath": "rating"},
            "isPublished": {"type": "boolean", "JSONKeyPath": "published"},
            "createdAt": {"type": "date", "JSONKeyPath": "created_at"},
            "updatedAt": {"type": "date", "JSONKeyPath": "updated_at"}
          }
        }
      }
    }
    """
}
