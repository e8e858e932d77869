import Foundation
import Graft

/// Decoders that contain managed objects, and JSON as a Codable type.
///
///     setting | payload
enum CodableTarget {
  static func check(_ input: [UInt8]) throws {
    guard input.count > 1 else { return }
    let setting = PayloadSetting.named(by: input[0])
    let data = Data(input[1...])
    let context = setting.context()
    let before = context.dumpBytes()
    var found: String
    do {
      _ = try context.decode(Objects.self, from: data, using: decoder(setting))
      found = String(decoding: context.dumpBytes(), as: UTF8.self)
    } catch {
      try ImportLaws.expectSame(before, context.dumpBytes(), "a failed decoding changed the graph")
      found = (error as? DecodingError)?.importError.map(ImportOutcomeText.text) ?? ""
    }
    try ImportLaws.checkInvariants(context)
    guard let json = try? JSON(parsing: Array(input[1...])),
      let decoded = try? JSONDecoder().decode(JSON.self, from: data)
    else { return }
    let encoded = try JSONEncoder().encode(decoded)
    try expect((try? JSONDecoder().decode(JSON.self, from: encoded)) == decoded, "what was encoded is another value")
    // A JSONDecoder keeps fewer digits. It does not reveal its key strategy, so keys might be converted (C4).
    guard json == decoded, setting.keyPath == nil, json.arrayValue != nil || json.objectValue != nil,
      json.allKeys.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } && $0.lowercased() == $0 }),
      let expected = DictionaryTarget.outcome(json, setting)
    else { return }
    try expect(found == expected, "a decoder and bytes differ:\n\(found)\n---\n\(expected)")
  }

  static let classes: [ManagedObject.Type] = [
    Hero.self, Power.self, Deck.self, Conversation.self, Course.self, Post.self, Tweet.self, Thing.self, Event.self,
  ]

  private static func decoder(_ setting: PayloadSetting) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[entityKey] = setting.entity
    return decoder
  }

  private static let entityKey = CodingUserInfoKey(rawValue: "entity")!

  /// The objects in the decoded value.
  private struct Objects: Decodable {
    init(from decoder: any Decoder) throws {
      switch decoder.userInfo[entityKey] as? String {
      case "Hero": _ = try ManagedObjectsUpsert<Hero>(from: decoder)
      case "Power": _ = try ManagedObjectsUpsert<Power>(from: decoder)
      case "Deck": _ = try ManagedObjectsUpsert<Deck>(from: decoder)
      case "Conversation": _ = try ManagedObjectsUpsert<Conversation>(from: decoder)
      case "Course": _ = try ManagedObjectsUpsert<Course>(from: decoder)
      case "Post": _ = try ManagedObjectsUpsert<Post>(from: decoder)
      case "Tweet": _ = try ManagedObjectsUpsert<Tweet>(from: decoder)
      case "Thing": _ = try ManagedObjectsUpsert<Thing>(from: decoder)
      default: _ = try ManagedObjectsUpsert<Event>(from: decoder)
      }
    }
  }
}

final class Hero: ManagedObject {}
final class Power: ManagedObject {}
final class Deck: ManagedObject {}
final class Conversation: ManagedObject {}
final class Course: ManagedObject {}
final class Post: ManagedObject {}
final class Tweet: ManagedObject {}
final class Thing: ManagedObject {}
final class Event: ManagedObject {}
