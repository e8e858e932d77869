// ComicShop: typed classes that the build generates from a model file.
//
//     swift run --package-path Examples/Package

import Graft

let context = ManagedObjectContext(model: try ShopModel.load())

let series = try object(
  Series.self,
  fromJSON: """
    {
      "slug": "lantern", "title": "The Lantern", "genre": "sci-fi",
      "issues": [{"id": 1, "number": 1, "price": 3.50, "date": "2024-09-22"}, {"id": 2, "number": 2, "price": 4}, 3]
    }
    """, in: context)

print(series.title ?? "?", series.genre == .sciFi ? "is science fiction" : "is not", "and costs", series.totalPrice)

// So far, issue 3 is known only by its identifier.
let third = try Issue.find(identifier: 3, in: context)
print(third?.series?.title ?? "?", third?.number ?? "has no number")
try objects(Issue.self, fromJSON: #"[{"id": 3, "number": 3, "series": "lantern"}]"#, in: context)
print(series.issues.compactMap(\.number))
