import Graft

extension CodeExplanation {
  static let values = [
    CodeExplanation(
      .missingValue,
      "A required value or object is missing at the end of the payload, or before changes are committed. Attributes are required unless they have `\"optional\": true`, and relationships only if they have `\"optional\": false`.",
      example: #"{"id": 7}          // "name" is required"#,
      fix:
        #"Add the value to the payload, correct the key path in the model, or declare the property with `"optional": true`. If a dictionary such as `{"id": 7}` only refers to an object, add `"JSONReferences": true` to the relationship."#
    ),
    CodeExplanation(
      .invalidValue,
      "A value violates a validation: `minimum`, `maxLength`, `pattern`, `enum`, `minCount` and so on, or one that the program registered.",
      example: #"{"name": ""}          // "minLength": 1"#,
      fix: "Correct the value, or change the validation in the line of the model that the note shows."),
    CodeExplanation(
      .blockedKeyPath, "A key path leads through a value that is neither an object nor null.",
      example: #"{"home": "Gotham"}          // "JSONKeyPath": "home.city""#,
      fix: "Correct the key path, or add the other form to `JSONKeyPathAliases`."),
    CodeExplanation(
      .notJSON, "A Swift value in a payload is not a JSON value, such as a date, NaN, or an instance of a class.",
      example: #"try object(Hero.self, fromJSON: ["id": 1, "since": Date()], in: context)"#,
      fix: "Convert it first: a date to RFC 3339 text, binary data to base64."),
  ]

  static let objects = [
    CodeExplanation(
      .wrongIdentifier,
      "An identifier does not fit the identity attributes of its entity: an array has the wrong number of values, or one of them is null.",
      example: #"{"card": ["DAW"]}          // "identityAttributes": "set, number""#,
      fix: "Pass one value for each identity attribute, in the order of the model."),
    CodeExplanation(
      .unresolvedIdentifier,
      "No object has this identifier, and the relationship has `\"unresolvedRule\": \"deny\"`. A placeholder does not count as an object.",
      example: #"{"id": 1, "team": 99}"#,
      fix:
        "Import the object first, or in the same payload. With `placeholder` or `skip`, the rule accepts unknown identifiers."
    ),
    CodeExplanation(
      .otherOwner,
      "An object nested in its owner names a different owner or null, or an identifier nested there refers to an object of a different owner.",
      example: #"{"id": "o-1", "lines": [{"order": "o-2", "sku": "A"}]}"#,
      fix: "Leave out the owner of nested objects, or nest each object in its own owner."),
    CodeExplanation(
      .wrongEntity, "An entity mapper chose an entity that is neither the declared one nor a sub-entity of it.",
      example: #"registry.registerEntityMapper(named: "Kind") { _ in "Publisher" }   // the mapper of Hero"#,
      fix: "Return one of the entities that the message lists, or nil for the declared one."),
    CodeExplanation(
      .abstractEntity, "An object belongs to an abstract entity, and nothing selects a concrete sub-entity.",
      example: #"{"shape": {"kind": "circel"}}          // the mapper lists "circle" and "square""#,
      fix: "Correct the value that the mapper reads, or add it to the mapper."),
    CodeExplanation(
      .entityConflict,
      "The object with this identity belongs to an entity that does not fit here. An object never changes its entity, but a placeholder can become an object of a sub-entity.",
      example: #"{"id": 2, "kind": "Hero"}          // 2 is a Villain"#,
      fix:
        "Correct the identifier or the value that the mapper reads. Entities of one hierarchy share their identifiers."),
    CodeExplanation(
      .deletionDenied,
      "An object would be deleted, but a relationship with `\"deleteRule\": \"deny\"` still has objects.",
      example: #"try context.delete(team)          // "heroes" has "deleteRule": "deny""#,
      fix: "Delete or unlink the other objects first, or choose another delete rule."),
  ]

  static let closures = [
    CodeExplanation(
      .wrongTransformerInput, "A value does not have the type that its transformer accepts.",
      example: #"{"rank": "one"}          // the transformer takes Int"#,
      fix: "Correct the value, or let the transformer take `JSON`, which is any value."),
    CodeExplanation(
      .wrongTransformerOutput, "A transformer returned a value that its attribute cannot hold.",
      example: #"registry.registerValueTransformer(named: "Rank") { (n: Int) in n * 10_000 }   // integer16"#,
      fix: "Return a value in range, or change the type of the attribute."),
    CodeExplanation(
      .transformerFailed, "A value transformer or its reverse threw an error, which is the `underlyingError`.",
      example: "{ (text: String) throws in try parse(text) }",
      fix: "Correct the value. To accept it, let the closure return nil, which sets the property to nil."),
    CodeExplanation(
      .closureFailed, "An entity mapper or a dictionary transformer threw an error, which is the `underlyingError`.",
      example: #"registry.registerEntityMapper(named: "Kind") { try kind(of: $0) }"#,
      fix: "Correct the object. To accept it, let the closure return nil."),
    CodeExplanation(
      .hookFailed, "An import hook of a class threw an error, which is the `underlyingError`.",
      example: "func didImport(_ payload: JSON) throws { throw Stop() }",
      fix: "Correct the object, or do not throw. `shouldImport` skips an object if it returns false."),
    CodeExplanation(
      .reentrantCall,
      "A closure made a call that is not allowed during an import, an export or a validation.",
      example: #"registry.registerValueTransformer(named: "Look") { (n: Int) in try context.delete(hero); return n }"#,
      fix: "Make the call after the import. `didImport` runs after everything is read, and may change objects."),
  ]

  static let limits = [
    CodeExplanation(
      .limitBytes, "A payload or an export is longer than the byte limit.",
      example: "limits.bytes = 1_000_000, and a payload of 2 MB",
      fix: "Raise the limit, or import the payload in batches with `importStream`."),
    CodeExplanation(
      .limitDepth, "Arrays and objects are nested more deeply than the limit: 512 levels in a payload by default.",
      example: "[[[[…]]]]",
      fix: "Check the payload. Raise `limits.depth`, or `maxDepth` of an export."),
    CodeExplanation(
      .limitObjects, "A payload inserts, or an export writes, more objects than the limit.",
      example: "limits.objects = 1_000, and 2,000 new objects",
      fix: "Raise the limit. An export that repeats shared objects is shorter with `sharedObjects: .once`."),
    CodeExplanation(
      .limitStringBytes, "A string is longer than the limit, 64 MiB by default.",
      example: "limits.stringBytes = 1_000, and text of 2,000 bytes", fix: "Raise `limits.stringBytes`."),
    CodeExplanation(
      .limitNumberBytes, "A number has more digits than the limit, 1,024 bytes by default.",
      example: "1 with 2,000 zeros", fix: "Check the payload, or raise `limits.numberBytes`."),
    CodeExplanation(
      .limitFaultyElements,
      "More elements of a payload contain errors than may be skipped, 10,000 by default, or too many depend on each other.",
      example: "ImportOptions(faultyElements: .skip), and a model that fits none of 20,000 objects",
      fix: "Check that the model fits the payload. Raise `limits.faultyElements`, or import in batches."),
  ]

  static let warnings = [
    CodeExplanation(
      .contradiction,
      "Two dictionaries of one payload have the same identity, but different values. Often the identity attributes do not identify the objects, so many of them become one.",
      example: #"[{"team": 1, "name": "Ada"}, {"team": 1, "name": "Grace"}]     // "identityAttributes": "team""#,
      fix:
        "Choose identity attributes that differ for different objects. If the dictionaries describe one object, the later value wins."
    ),
    CodeExplanation(
      .noMappedKey,
      "An object has no key that its entity maps, so none of its values is imported. It may contain the objects to import, or belong to another entity.",
      example: #"{"data": [{"id": 1}]}     // imported as one 'Hero'"#,
      fix: "Give the key path of the objects: `at: \"data\"`, or `--at data`. If the entity has no key paths, add them."
    ),
    CodeExplanation(
      .skippedDictionary,
      "A dictionary was skipped, because its `entityMapper` does not list the discriminator and has `\"otherwise\": null`.",
      example: #"{"type": "poll"}     // "entities": {"text": "TextMessage"}, "otherwise": null"#,
      fix: "If the objects matter, list the value, or name an entity as `otherwise`."),
    CodeExplanation(
      .unlistedValue,
      "A value is not listed in the `enum` of its attribute. The value is kept, because the `enum` is `extensible`.",
      example: #"{"rank": "mythic"}          // "enum": ["common", "rare"], "extensible": true"#,
      fix: "If the value is correct, add it to the `enum`."),
    CodeExplanation(
      .nearUnmappedKey,
      "An object has a key that is not mapped, and lacks one that is almost the same. The property stays nil.",
      example: #"{"placed_at": "2025-03-01T00:00:00Z"}     // "JSONKeyPath": "placedAt""#,
      fix: "Correct the `JSONKeyPath`, or list the other spelling in `JSONKeyPathAliases`."),
    CodeExplanation(
      .lostOrder,
      "An array has an order that no attribute of its elements records, and its relationship is not ordered. An export writes the elements by identity.",
      example: #"{"stops": ["Kiel", "Bonn", "Ulm"]}     // "stops": {"destination": "Stop", "toMany": true}"#,
      fix: #"Add `"ordered": true`. If the order does not matter, add `"ordered": false`."#),
    CodeExplanation(
      .lostLink,
      "Two objects of a payload name the same object in a relationship whose inverse is a to-one. The later one keeps it, and the earlier one loses it. Or an object names another object that in turn names different objects.",
      example: #"[{"id": "a1", "genres": [7, 8]}, {"id": "a2", "genres": [8]}]     // "inverse": "album", a to-one"#,
      fix:
        "If an object can belong to several objects, make the inverse a to-many. If both sides are right, declare them as two relationships without an inverse. Otherwise correct the payload."
    ),
    CodeExplanation(
      .repeatedElement,
      "An ordered list names an object several times. A relationship contains it once, at its first position.",
      example:
        #"{"id": 1, "songs": [5, 6, 5]}     // "songs": {"destination": "Song", "toMany": true, "ordered": true}"#,
      fix:
        "To keep repeats, give each position its own object, identified by its owner and its position (`@index`), with a to-one to the object."
    ),
    CodeExplanation(
      .emptyReference,
      "A to-one has the identifier 0, `\"0\"`, an empty string or a UUID of zeros, and no object has it. It created a placeholder, but many services send such a value if there is no object.",
      example: #"{"id": 7, "parent": 0}     // "parent": {"destination": "Folder"}"#,
      fix: "If it means that there is no object, add `\"JSONNulls\": [0]` to the relationship."),
  ]

  static let calls = [
    CodeExplanation(
      .noObject,
      "The payload contains no object: it is null, an empty array, or an object without the key that `at` names.",
      example: #"let hero: Hero = try object(fromJSON: "null", in: context)"#,
      fix: "Call `objects`, which returns an empty array. If a key is missing, correct `at`."),
    CodeExplanation(
      .openStream,
      "A context can have only one stream that is imported as a whole, and a stream must end in the transaction that opened it.",
      example: "try context.atomically { try stream.append(bytes) }     // opened outside",
      fix: "Finish or cancel the other stream, or open the stream inside the transaction."),
    CodeExplanation(
      .streamWithoutDocument,
      "A stream reads the objects under a key path and skips the rest of the document, but some objects read a value from that part with `@root` or `@parent`.",
      example: #"ImportStream(ofEntity: "Line", in: context, at: "lines")     // "JSONKeyPath": "@root.page""#,
      fix: "Import the document as a whole, or as JSON Lines."),
    CodeExplanation(
      .stopped, "An import was stopped: by a closure that threw, by `cancel()`, or because its context changed.",
      example: "context.importStream(…) { progress in throw Enough() }",
      fix: "The `underlyingError` is the reason. Start the import again."),
    CodeExplanation(
      .deletedObject, "An object was deleted, so it cannot be read, changed, linked or exported.",
      example: #"try context.delete(hero); try hero.setValue("Bat", of: "name")"#,
      fix: "Check `isDeleted`, or find the object again."),
    CodeExplanation(
      .unknownProperty, "The entity has no property with this name.",
      example: #"try hero.setValue("Bat", of: "nam")"#, fix: "Correct the name."),
    CodeExplanation(
      .wrongPropertyKind, "A relationship is read or set as an attribute, or the other way round.",
      example: #"try hero.setValue("Titans", of: "team")"#,
      fix: "Set an object instead: `try hero.setValue(team, of: \"team\")`."),
    CodeExplanation(
      .duplicateIdentity, "Another object already has this identity.",
      example: #"try hero.setValue(2, of: "id")          // there is a Hero(2)"#,
      fix: "Find that object and change it, or delete it first."),
    CodeExplanation(
      .missingIdentity, "A placeholder consists only of its identity, so it must keep one.",
      example: #"try placeholder.setValue(nil, of: "id")"#, fix: "Delete the placeholder instead."),
  ]
}
