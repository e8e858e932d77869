import Foundation

extension HeroGraph {
  /// Returns the values that both forms of heroes share.
  final func dictionary(_ hero: TypedHero) -> [String: Any] {
    [
      "id": String(hero.id), "name": hero.name, "real_name": hero.realName ?? NSNull(), "gender": hero.gender,
      "alignment": hero.alignment, "appearances": hero.appearances, "height": hero.height,
      "created_at": FastDate.text(hero.createdAt), "deck": hero.deck,
    ]
  }
}

extension NestedHeroGraph {
  func exportDictionaries() -> [Any] {
    roots.map { hero in
      var dictionary = dictionary(hero)
      dictionary["powers"] = hero.powers.map { ["id": String($0.id), "name": $0.name ?? ""] }
      dictionary["publisher"] =
        hero.publisher.map { ["id": String($0.id), "name": $0.name ?? ""] as [String: Any] } ?? NSNull()
      return dictionary
    }
  }
}

extension ReferencedHeroGraph {
  func exportDictionaries() -> [Any] {
    roots.map { hero in
      var dictionary = dictionary(hero)
      dictionary["powers"] = hero.powers.map { String($0.id) }
      dictionary["publisher"] = hero.publisher.map { String($0.id) } ?? NSNull()
      return dictionary
    }
  }
}

extension PostGraph {
  func exportDictionaries() -> [Any] {
    roots.map { post in
      [
        "id": post.id, "user_id": post.userID, "title": post.title, "slug": post.slug, "body": post.body,
        "score": post.score, "rating": post.rating, "published": post.published,
        "created_at": FastDate.text(post.createdAt), "updated_at": FastDate.text(post.updatedAt),
      ] as [String: Any]
    }
  }
}

extension EventGraph {
  func exportDictionaries() -> [Any] { roots.map(dictionary) }

  private func dictionary(_ event: TypedEvent) -> [String: Any] {
    [
      "id": event.id, "type": event.type, "actor": event.actor.map(dictionary) ?? NSNull(),
      "repo": event.repo.map { ["id": $0.id, "name": $0.name, "url": $0.url] as [String: Any] } ?? NSNull(),
      "payload": [
        "push_id": event.pushID, "size": event.size, "ref": event.ref, "commits": event.commits.map(dictionary),
      ] as [String: Any],
      "public": event.isPublic, "created_at": FastDate.text(event.createdAt),
      "org": event.org.map { ["id": $0.id, "login": $0.login, "url": $0.url] as [String: Any] } ?? NSNull(),
    ]
  }

  private func dictionary(_ actor: TypedActor) -> [String: Any] {
    [
      "id": actor.id, "login": actor.login, "gravatar_id": actor.gravatarID, "url": actor.url,
      "avatar_url": actor.avatarURL,
    ]
  }

  private func dictionary(_ commit: TypedCommit) -> [String: Any] {
    [
      "sha": commit.sha, "author": ["name": commit.authorName, "email": commit.authorEmail],
      "message": commit.message, "distinct": commit.isDistinct, "url": commit.url,
    ]
  }
}
