/// The page of rules in the documentation, `Rules.md`. A test keeps the two equal.
enum RulePage {
  static let text = #"""
    # Rules

    What a model file means, and what an import and an export do, rule by rule.

    ## Overview

    Error messages, documentation comments and tests refer to these rules by their numbers. The groups are: **M** model files,
    **T** transformers, **I** imports, **E** exports, **C** contexts, **S** stores, **D** details.

    In these rules, a *payload* is incoming JSON. An *identifier* is a bare JSON value that represents an object. A *placeholder* is
    an object that is known only by its identifier. A property is *mapped* if it has a `JSONKeyPath`.

    ## Model files

    ### M1

    **One file, one model.** The format is JSON plus `//` and `/* */` comments and trailing commas, because people edit it by hand.
    Payloads, by contrast, are strict [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) JSON.

    Example: `{"entities": {"Hero": {"attributes": {"name": "string",}}}} // fine in a model, an error in a payload`

    ### M2

    **Keys of the file.** `$schema` (for editors), `name`, `version`, `keyStrategy`, `JSONNulls` ([M20](#M20)), `removed` ([S9](#S9)),
    `entities` and `userInfo`. Any other key, here or below, causes an error that names the nearest legal key. `doc`, a string, is legal
    everywhere. The `keyStrategy` decides the key path of properties without a `JSONKeyPath`: none with `explicit`, the default; the property's
    own name with `sameName`; the name in snake case with `snakeCase`.

    Example: with `"keyStrategy": "snakeCase"`, the attribute `realName` is read from the key `real_name`.

    ### M3

    **Keys of an entity.** `parent`, `abstract`, `class`, `identityAttributes`, `entityMapper`, `entityMapperName`,
    `JSONDictionaryTransformerName`, `alternateIdentities` ([M27](#M27)), `modificationAttribute` and `deletedWhen` ([M17](#M17)), `indexes`
    ([M28](#M28)), `renamedFrom`, `attributes`, `relationships` and `userInfo`. `identityAttributes` is an array, or a string of
    names separated by commas; the order matters. `identityAttribute`, an older spelling, is accepted with a warning.

    Example: `"entityMapper": {"JSONKeyPath": "type", "entities": {"text": "TextMessage", "photo": "Photo"}}`

    ### M4

    **Keys of an attribute.** `type`, `optional` (default: false), `default`, `JSONKeyPath`, `JSONKeyPathAliases`,
    `JSONTransformerName`, `JSONDirection`, `JSONNulls` ([M20](#M20)), `list`, `lenient` ([M22](#M22)), `sensitive` ([M29](#M29)), `renamedFrom`,
    `migratedFrom` ([S21](#S21)), `userInfo`, and the validation keywords of JSON Schema: `minimum`, `maximum`, `minLength`, `maxLength`,
    `pattern` and `enum`, with `minCount` and `maxCount` for lists, and `extensible` for enums.

    Example: `"name": "string"` is short for `"name": {"type": "string"}`.

    ### M5

    **Types.** `integer16`, `integer32`, `integer64`, `float`, `double`, `decimal`, `boolean`, `string`, `date`, `binary`, `uuid`, `uri` and
    `json`, which keeps any JSON value unchanged. Integers accept only integral numbers that fit (`1.0` and `1e2` are integral), `decimal` keeps
    every digit, `date` accepts [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339) text, and `binary` accepts base64
    ([RFC 4648](https://www.rfc-editor.org/rfc/rfc4648)). Types are never coerced; use a transformer.

    Example: for an `integer64`, `"4"` and `true` are rejected, unless `"JSONTransformerName": "StringToInteger"` reads the former.

    ### M6

    **Keys of a relationship.** `destination`, `toMany` (default: false), `ordered`, `inverse`, `optional` (default: true), `minCount`,
    `maxCount`, `deleteRule` (`nullify`, `cascade`, `deny`, `noAction`), `mergeRule` (`replace`, `union`), `unresolvedRule`
    (`placeholder`, `skip`, `deny`), `deleteOrphans`, `JSONRepresentation` (`object`, `identifier`, `none`), `JSONKeyPath`,
    `JSONKeyPathAliases`, `JSONDirection`, `JSONTransformerName` ([M26](#M26)), `JSONNulls` ([M20](#M20)), `JSONReferences` ([M21](#M21)), `lenient`
    ([M22](#M22)), `renamedFrom`, `migratedFrom` ([S21](#S21)) and `userInfo`. The first word of each list is the default. With `deleteOrphans`,
    objects that a `replace` removes are deleted if their inverse is left empty.

    When an object is deleted, the `deleteRule` of each of its relationships decides what happens to its related objects: `nullify` removes the
    deleted object from their inverse, `cascade` also deletes them, and `deny` refuses the deletion while there are related objects. `noAction`
    is the same as `nullify`, because no object ever links to a deleted one.

    Example: `"lines": {"destination": "Line", "toMany": true, "inverse": "order", "deleteOrphans": true}`

    ### M7

    **Key paths** are separated by dots. If a key itself contains a dot, write an array of keys. If the path is absent,
    `JSONKeyPathAliases` are read in order. An export writes only the first path. `"JSONKeyPath": null` opts a property out.

    Example: `"JSONKeyPath": ["a.b", "c"]` reads `{"a.b": {"c": 1}}`.

    ### M8

    **Inheritance.** Sub-entities inherit attributes, relationships, transformers and the mapper, and may extend their parent's identity
    attributes. Entities of one hierarchy with the same identity attributes share one identity space. A sub-entity that extends the identity
    attributes has its own identity space; the linter warns that identifiers and partial updates imported as the parent cannot find its objects.

    Example: a `Photo` imported as a `Message` with the same `id` is the same object.

    ### M9

    **A model is checked when it is loaded.** All findings are reported together, each with its file, line and column, the offending text and,
    if there is a similar name, a suggestion. Findings that make a model unusable are errors; probable mistakes are warnings. The name of a
    transformer or mapper that is neither built in nor registered causes an error in a program and a warning in the linter, which cannot see the
    program. A model that loads never fails later because of its own content.

    A warning is reported if an import would read a different value than the export wrote: a one-way transformer, a `DateFormat(A|B)` whose
    first pattern loses part of what the other reads, or a default in a form that means null.

    Example: `Comics.json:7:20: error: the destination 'Pubisher' of relationship 'Hero.publisher' is not an entity; did you mean 'Publisher'?`

    ### M10

    **Models in Swift.** A model can also be built from ``ModelDescription``. The same checks apply.

    Example: `try ManagedObjectModel(ModelDescription(entities: [EntityDescription("Hero")]))`

    ### M11

    **Collections by key.** As a key path, `@key` is the key under which an object appears. A to-many relationship, or a whole payload, may then
    be an object whose values are the elements. If `@key` is an alias, both shapes are read. If `@key` is the first key path, an export writes
    an object. A property at `@value` ([M23](#M23)) reads an element that is not an object.

    Example: with `"id": {"type": "string", "JSONKeyPath": "@key"}`, the payload `{"4": {"name": "Agility"}}` is one object.

    ### M12

    **Identity inside an owner.** `identityAttributes` may also name to-one relationships: `["order", "position"]`. Such an object is identified
    by the related object, which is its owner, and by its other identity values. The relationship requires an inverse, and the owner requires an
    identity. If the object is nested in its owner, the relationship need not appear in JSON: the owner is the object whose inverse relationship
    contains it. Values that contain such objects are read after the rest of the owner. Outside its owner, the object must name its owner. It is
    an error if the owner is unknown when the payload ends, or if an object names an owner other than the one that contains it. An object that
    loses its owner loses its identity, which causes an error unless the object is deleted (`deleteOrphans`, `cascade`).

    As the key path of an integer attribute, `@index` is the position of the object in its array, from 0. Nulls and identifiers count as
    elements. An export does not write the position: an object that is not at its position is written as its identifier, and positions without
    an object are written as null.

    Example: with `"identityAttributes": ["order", "position"]` and `"position": {"type": "integer32", "JSONKeyPath": "@index"}`, the
    lines of `{"id": "o-1", "lines": [{"sku": "A"}, {"sku": "B"}]}` are the same objects in each import. The identifier of the second
    line is `["o-1", 1]`.

    ### M13

    **Typed lists.** With `"list": true`, an attribute holds a list of its type: an array in JSON and in Swift. The transformer and the
    validation keywords apply to each element, `minCount` and `maxCount` to the list. `default` is an array. Null elements and nil results of
    the transformer are rejected. An empty list is a value, not nil. A list is replaced as a whole. It cannot be part of an identity, a
    `modificationAttribute` or the value of a mapper. Predicates and conditions only compare it with nil; filter with a closure.

    Example: `"tags": {"type": "string", "list": true, "maxLength": 20}` reads `["new", "rare"]` as `[String]`

    ### M14

    **Open enums.** With `"extensible": true`, an `enum` lists only the known values. Other values are kept, and imports
    report them as warnings. `graft generate` writes a struct with a `rawValue` and static members instead of an enum.

    Example: `"rank": {"type": "string", "enum": ["common", "rare"], "extensible": true}` accepts `"mythic"`, with a warning

    ### M15

    **Mapper fallback.** `entityMapper` may name an entity as `otherwise`, for values that its table does not list. With `"otherwise": null`,
    dictionaries with such values are skipped, and the report and a warning record this. A skipped dictionary is treated as the identifier of
    its object if the object exists, and as absent otherwise. A missing discriminator is still treated as no answer. An export keeps an unlisted
    value if an attribute has the key path of the mapper.

    Example: `"entityMapper": {"JSONKeyPath": "type", "entities": {"text": "TextMessage"}, "otherwise": "UnknownMessage"}`

    ### M16

    **Direction.** Attributes and relationships may declare `"JSONDirection": "both"` (the default), `"import"` or `"export"`. Exports omit
    properties that are only imported. Imports ignore properties that are only exported, but their keys are not treated as unknown. A required
    attribute that is only exported requires a default. Identity attributes are always read and written.

    Example: `"secret": {"type": "string", "optional": true, "JSONKeyPath": "secret", "JSONDirection": "import"}`

    ### M17

    **Synchronization keys** of an entity. With `"modificationAttribute": "updatedAt"`, a dictionary whose value is not newer than the
    stored one is skipped with everything in it. The attribute is a date or a number. If the stored or the incoming value is null or
    absent, the dictionary is applied. Within one payload, dictionaries with equal values are merged, and a dictionary that is older
    than an earlier one is skipped. Only here does the order of a payload decide which nested objects are read.

    With `"deletedWhen": {"JSONKeyPath": "is_deleted", "equals": true}`, a dictionary with this value deletes the object that it identifies, by
    the model's delete rules, and inserts no object. The rest of the dictionary is ignored. Objects are deleted at the end of the payload, so
    order does not matter. If the object is newer than the dictionary at that time, it is kept. If no object is found, nothing is deleted. An
    attribute with the same key path is exported like any other.

    Both keys require an identity, and sub-entities inherit them. They are checked before hooks are called. The report counts deletions
    and skipped dictionaries.

    Example: `{"id": 7, "updated_at": "2024-05-01T00:00:00Z", "is_deleted": true}`

    ### M19

    **Paths outside the object.** A key path that begins with `@parent` starts at the object that encloses this one in the payload. Arrays,
    collections by key and objects along key paths do not count, because they are not objects of the graph. For the outermost objects, the
    enclosing object is the innermost one on the key path of the import (`at`). A key path that begins with `@root` starts at the whole
    document; in JSON Lines, at the line. If nothing encloses the object, or the document is an array, the value is absent.

    Attributes read any value there, and to-one relationships read an identifier. Such a key path must be the last one of its property, so that
    the object's own keys come first. It cannot be part of an identity. It is only read: an export does not write it. If the value that an
    import would read from outside an object differs from the object's own value, the export writes the object's identifier, so importing an
    export changes nothing. A date is equal to a string if the string is the date as the export writes it: `2024-05-01T10:00:00Z`. Each value is
    read once for each enclosing object, in linear time, and its errors are reported once, at its location. Copies of text count toward the byte
    limit. A stream of the objects under a key path does not contain the document, so it is rejected.

    Example: with `"fetched": {"type": "date", "JSONKeyPath": "@root.meta.fetched_at"}` and `"order": {"type": "integer64", "JSONKeyPath":
    "@parent.id"}`, the line in `{"orders": [{"id": 7, "lines": [{"sku": "A"}]}], "meta": {"fetched_at": "2024-05-01T00:00:00Z"}}` has both
    values

    ### M20

    **Values that mean null.** `JSONNulls` lists JSON values that are read as null, before any transformer: scalars, `[]` and `{}`. In the
    model, it applies to all properties, except that `true` and `false` remain values of booleans; a property with its own list, which may be
    empty, uses only that list. Identity attributes and identifiers are read in the same way, and such a value identifies no object. In a
    to-many, an element with such a value is skipped, like null (I5). Exports write null. A list has at most 100 values.

    Example: `"born": {"type": "date", "optional": true, "JSONNulls": ["", "0000-00-00"], "JSONTransformerName": "DateFormat(yyyy-MM-dd)"}`

    ### M21

    **Dictionaries that only refer.** With `"JSONReferences": true` on a relationship, a dictionary in that relationship is treated as an
    identifier (I4) if it has all identity attributes and no other mapped key except the mapper's: it finds the object, or the `unresolvedRule`
    applies. Other dictionaries are read as usual. Exports are not affected.

    Example: in `{"id": 1, "author": {"type": "people", "id": "9"}}`, the author is person 9, whose name may be required.

    ### M22

    **Shapes that lose nothing.** With `"lenient": true` on a relationship or on an attribute with `"list": true`, an import also reads one
    element as a list of one; a list of one as an element; in a to-one, an empty list, `""` or `false` as null; and an object with the keys `0`,
    `1` and so on, in this order, as a list. Any other shape is rejected, as it is without `lenient`. A collection by key (M11) remains a
    collection, and an object in a list of type `json` is an element. A relationship with a key path outside its object (M19) reads only
    identifiers, as they are. Exports write the declared shape.

    Example: with `"tags": {"type": "string", "list": true, "lenient": true}`, `"new"`, `["new"]` and `{"0": "new"}` are the same list.

    ### M23

    **The element itself.** As a key path, `@value` is the element that an object is read from. An attribute reads an element that is not an
    object, or that has no mapped key; an attribute of type `json` reads any value. A to-many at `@value` reads a list of lists. A to-one reads
    an identifier, or its object from the same dictionary: each of the two objects takes its own keys, and a key is unknown if neither maps it.
    An element that the property cannot hold is rejected. Without a property at `@key`, this applies in arrays, in to-ones and to payloads; in
    that case, an element that is not an object is never an identifier of its object. Combined with `@index`, a list keeps repeated elements:
    each becomes an object with its position.

    Exports write the element alone if its object otherwise has only default values. If not, they write the members of both objects into one
    dictionary. An object without its `@value`, or one whose `@value` can only be an identifier while there are other values, cannot be written,
    so the relationship that contains it is omitted ([E5](#E5)). As an alias, `@value` reads only elements that are not objects.

    These are errors in the model: two properties that write one key of a dictionary, or a property that reads what another property writes; a
    to-one at `@value` that has aliases or is only read; an object that `@key` or `@index` identifies, in a dictionary with other keys; more
    than 16 objects in one dictionary.

    Example: with `"song": {"destination": "Song", "JSONKeyPath": "@value"}`, the entries of `[5, {"added": "2024-05-01", "id": 6}]` have songs
    5 and 6.

    ### M24

    **References in several keys.** The `JSONKeyPath` of a to-one may be an object with a key path for each identity attribute of its
    destination. `@type` is the key of the destination's mapper, if none of its identity attributes has that key; the mapper's `otherwise`
    applies (M3). Like a skipped dictionary (D13), a reference that the mapper skips is treated as the identifier of its object if that object
    exists, and as absent otherwise, with a warning. If no value is present, the relationship is absent or, if one is null, null. It is an error
    if only some are present. Other properties, other such references and the mapper of the object may read the same keys, or objects that
    contain them. Such shared keys alone do not show that there is a reference. If a reference has only shared keys, it is absent if one of them
    is absent, and null if one is null. In an export, all keys of a reference have the values of its object, as an import reads them. If another
    property has a different value under such a key, or no value, the reference is omitted like an incomplete relationship (E5), whether or not
    this export writes that property. A reference without a key of its own cannot be omitted: if another object would be read in its place, the
    export fails. Such a relationship has no aliases, is not part of an identity, and does not lead to objects that are identified inside an
    owner.

    Example: `"product": {"destination": "Product", "JSONKeyPath": {"shop": "shop_id", "sku": "sku"}}`

    ### M25

    **Paths through arrays.** `[]` after a key collects from all elements of an array: `"issues.edges[].node"`. Only to-manys and lists may have
    such a key path, and only as their last one. Several key paths may lead through one array. Null, and elements without the value, are
    skipped. If all elements lack it, the property is absent. Any other value on the path is rejected. If the key path has only one `[]`, a
    single key follows it, and nothing else is written there, exports write the array and wrap each element in an object; otherwise, the
    property must have `"JSONDirection": "import"`. The path of a payload's objects (`at`) may also lead through arrays, except in a stream of a
    document; it is an error if the path matches nothing in any element (D3).

    Example: `"nodes": {"destination": "Issue", "toMany": true, "JSONKeyPath": "issues.edges[].node"}`

    ### M26

    **Transformers for references.** A relationship may have a `JSONTransformerName`. It applies to each value that is neither an object nor
    null, before the identifier is looked up; its result is read as the identifier. `LastPathSegment` reads `7` from
    `https://example.org/planets/7/`, `planets/7` and `7`; `Split(/)` makes an identifier that consists of several values. Exports apply the
    reverse to identifiers. `LastPathSegment` writes the segment; without a reverse closure, the identifier itself is written.

    Example: `"planet": {"destination": "Planet", "JSONTransformerName": ["LastPathSegment", "StringToInteger"]}`

    ### M27

    **Other unique keys.** `"alternateIdentities": ["slug", ["challenge", "user"]]` on an entity lists attributes and to-one relationships, its
    own or inherited, alone or in groups. An object in JSON whose identity is not given, or belongs to no object, is matched with the object
    that has all values of an alternate identity. Alternate identities are tried in the order of the list. If the matched object has no
    identity, its identity is set. An object that has a different identity is never matched. No two objects may have the same values, unless one
    of the values is nil. This is validated when the payload ends ([I9](#I9)) and before a commit, so a payload may exchange values; stores have
    a unique index. Identifiers ([I4](#I4)) always consist of the values of `identityAttributes`. If one of the properties is a to-one, an
    object nested in the value of the inverse need not name the object that contains it.

    A dictionary is looked up when it is read. If several objects have its values at that time, the dictionary refers to one that the payload
    has already described, and to one that the payload marks as deleted ([M17](#M17)) only if there is no other. A dictionary that marks its
    object as deleted refers to one that the payload has not described. A dictionary without identity is rejected if, when the payload ends, its
    object is deleted or has other values, and another object has the values instead. It is also rejected if more than 100 objects have its
    values when it is read.

    Example: with `"identityAttributes": "id", "alternateIdentities": ["slug"]`, `[{"id": 7, "slug": "a"}, {"slug": "a", "name": "A"}]` is one
    object. `[{"id": 7, "slug": "a"}, {"id": 8, "slug": "a"}]` is rejected. With `["challenge", "user"]`, the score of user 5 in
    `{"id": 1, "scores": [{"user": 5, "points": 3}]}` is found if challenge 1 already has a score of that user.

    ### M28

    **Indexes.** `"indexes": ["name", ["lastName", "firstName"]]` on an entity lists attributes and to-one relationships, its own or inherited,
    alone or in groups. An SQLite store has an index for each, so it finds and sorts objects without reading the whole table. A hierarchy has
    one table, so an index of a sub-entity contains the rows of all entities in the hierarchy. Lists, `json` values and to-many relationships
    cannot be indexed. Identities and to-one relationships are always indexed; listing one alone is a warning. When a store is opened with a
    model that lists different indexes, indexes are created and dropped accordingly. This needs no consent, makes no backup and is not a commit.
    An index on a `decimal` finds equal values, but does not sort them. Snapshot stores and contexts in memory ignore indexes.

    Example: `graft lint --store comics.graft --where 'Hero: name = "Batman"'` names the index that a query lacks.

    ### M29

    **Sensitive values.** With `"sensitive": true` on an attribute, its values do not appear in text for people: messages of imports,
    validations, setters, conflicts and stores, reports, traces, dumps and descriptions of objects, IDs and changes show `<hidden>` instead. If
    the attribute is part of an identity, the names of objects also show `<hidden>`: `User(<hidden>)`. Exports, stores and properties that a
    program reads contain the values.

    In a model with a sensitive attribute, messages about a payload have its line, column and JSON path, but no excerpt. An error in the text of
    a payload has no path, because the path may lead into a sensitive `json` value. If a closure throws an error about a sensitive attribute or
    a whole object, the message has only the type of the error; `underlyingError` is the error itself. A sensitive attribute cannot be read from
    `@key`, because messages and paths contain keys. Conditions, and everything else written in the program or on the command line, are shown as
    written.

    Example: `"email": {"type": "string", "JSONKeyPath": "email", "sensitive": true}`

    ## Transformers

    ### T1

    **Closures by name.** Value transformers, dictionary transformers and entity mappers are Swift closures in a
    ``TransformerRegistry``, a value that is passed to the model. There is no global state. The reverse closure is optional.

    Example: `registry.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }`

    ### T2

    **Built in.** `StringToInteger`, `StringToDecimal`, `StringToDouble`, `UnixTime`, `UnixTimeMilliseconds`, `ReferenceTime`,
    `DateFormat(PATTERN)`, `StringToURL`, `StringToUUID`, `Lowercase`, `IntegerToBoolean`, `StringToBoolean`, `Lenient`, `Blank`, `Split` and
    `LastPathSegment`, each with a reverse. A string that a built-in transformer cannot read causes an error; the result is not nil.

    Example: `"born": {"type": "date", "JSONTransformerName": "DateFormat(yyyy-MM-dd)"}`

    ### T3

    **Calls.** An input of a type that the closure does not accept causes an error with its JSON path. If a closure returns nil, the property is
    set to nil. If it throws, the import fails with that error as its cause. A closure is called once per value, and never with null or absent
    values.

    Example: a closure `(Int) -> String` for the value `"4"`: `expected an integer, which the transformer 'Rank' takes`

    ### T4

    **Reverse.** Without a reverse closure, the stored value is exported. If a reverse closure returns nil, null is written.

    Example: `registerValueTransformer(named: "Cents", { (n: Int) in n * 100 }, reverse: { $0 / 100 })`

    ### T5

    **No re-entry.** A closure that calls back into the context that called it makes the import, export or commit fail with an error,
    even if it catches the error of its call. The error names the closure and is located at the value or dictionary for which the
    closure was called. A closure may read objects, and `didImport` may also change them. Nothing deadlocks or damages the graph.

    Example: a mapper that calls `object(fromJSON:in:)` with the same context fails the import with the code `reentrant-call`.

    ### T6

    **Lenient.** `Lenient` is a built-in transformer for services that mix forms. It reads an attribute of any type in every form that loses
    nothing. Integers and other numbers are also read from their text, with leading zeros, a plus sign and surrounding spaces. Booleans are also
    read from 0, 1 and `"true"`, `"false"`, `"yes"`, `"no"`, `"0"`, `"1"`. Strings are also read from numbers and booleans, as their JSON text.
    Dates are also read from numbers: Unix seconds or, from 100,000,000,000 on, milliseconds. Anything else is rejected. Exports write the
    standard form of the type.

    Example: `"zip": {"type": "string", "JSONTransformerName": "Lenient"}` reads `"02134"` and `2134`

    ### T7

    **Trials.** A registered or built-in value transformer can be run on its own, forward and in reverse, to test it. The results are the same
    as in imports and exports.

    Example: `try registry.value("Slug", from: "Bat Man")` and `try registry.json("Slug", from: .string("bat-man"))`

    ### T8

    **Chains and strings.** `JSONTransformerName` may be an array of names. An import applies them in order, each to the JSON of what the
    previous one returned; an export applies them in reverse order. `DateFormat(A|B|C)` reads any of its patterns, and writes the first.
    `UnixTime`, `UnixTimeMilliseconds` and `ReferenceTime` also read a number from a string. `Split(,)`, as the first transformer of a list,
    reads one string whose parts are the elements, and joins them on export. An empty string is an empty list, and an array is also read. If a
    string cannot hold the list, because an element contains the separator, the export is refused. `Blank` reads a string that is only white
    space as null, and passes other values on unchanged. `LastPathSegment` reads the last segment of a path or URL, without a query and
    fragment.

    Example: `"counts": {"type": "integer64", "list": true, "JSONTransformerName": "Split(,)"}` reads `"1,2"` and writes it.

    ## Imports

    ### I1

    **One call, many forms.** `object(fromJSON:in:)` and `objects(fromJSON:in:)` accept `Data`, UTF-8 bytes, text, dictionaries, arrays,
    ``JSON`` and files. Every form produces the same graph and the same errors. Results are in payload order; nulls are skipped. `at:` is the
    key path of the objects.

    Example: `try objects(Hero.self, fromJSON: data, in: context, at: "data.items")`

    ### I2

    **Identity.** Without identity attributes, every dictionary inserts an object. Otherwise, the object in the hierarchy with equal
    identity values is updated, or a new one is inserted. This also applies within one payload. Values are compared after
    transformation, by exact typed value. An absent or null identity value never matches: the object is inserted, then validated.

    Example: `[{"id": 1, "name": "Robin"}, {"id": 1, "name": "Nightwing"}]` is one object, named Nightwing.

    ### I3

    **Absent and null.** If a key is absent, the property keeps its value; a new object gets the default. `null` sets the property to nil.

    Example: importing `{"id": 1, "name": null}` clears the name and keeps everything else.

    ### I4

    **Identifiers.** A string, number or boolean identifies an object of an entity with one identity attribute. If there are several identity
    attributes, an array of their values identifies it. An unknown identifier follows the relationship's `unresolvedRule`; by default it creates
    a placeholder, which has only its identity, is exempt from validation, and is filled by a later payload.

    Example: `{"id": 1, "powers": ["4", "9"], "card": ["DAW", 12]}`

    ### I5

    **Relationships.** A to-many takes an array, a to-one takes a dictionary or an identifier; the reverse is rejected. Nulls in arrays are
    skipped, and repeated elements collapse to the first. `replace` makes the relationship equal to the array; `union` adds to it. Ordered
    relationships keep payload order.

    Example: `"powers": [4, null, 9, 4]` links two powers.

    ### I6

    **Inverses** are consistent at all times, on both sides, regardless of which side the JSON names.

    Example: after `{"id": 10, "heroes": [1]}`, the `publisher` of hero 1 is publisher 10.

    ### I7

    **Order.** A dictionary goes through the dictionary transformer of the declared entity, the mapper, the chosen sub-entity's own transformer,
    and then its properties: in payload order for text and bytes, in model order for Swift dictionaries. An object is applied when its
    dictionary ends, so a mention nested in it comes first. Later mentions win. If the mapper returns no answer, the object with that identity
    keeps its entity, and a new object belongs to the declared entity.

    Example: `{"id": 1, "name": "A", "rival": {"id": 1, "name": "B"}}` ends with the name A.

    ### I8

    **Key paths.** A key path through null is treated as null, and a key path through a missing key as absent. A key path through any other
    scalar or an array causes an error.

    Example: for `publisher.name`, `{"publisher": null}` sets nil, `{}` changes nothing, and `{"publisher": "DC"}` is rejected.

    ### I9

    **Validation** runs at the end of the payload, on the merged values of every object that the payload touched. All failures are collected, in
    payload order, up to a limit. `commit()` validates changes made in code in the same way. It also refuses a value set in code at the key path
    of a mapper if the value selects no entity, or an entity other than the object's, because importing the export would read something else.

    Example: `expected a value for 'Hero.name', which is not optional, found none`

    ### I10

    **All or nothing.** If an import throws, the context is unchanged: values, links, placeholders, changes and IDs.

    Example: a list of 500 objects with one mistake imports none of them.

    ### I11

    **Errors** state what was expected and found, where in the payload (JSON path, and line and column for text), and which line of the model
    requires it.

    Example: `heroes.json:7:15: error: expected an integer for 'Power.identifier', found the string "4"`

    ### I12

    **Reports.** On request, an import reports what it inserted, updated (with old and new values), left unchanged, filled, unlinked,
    deleted and skipped, and which keys were unknown. A dry run produces the report and leaves the context unchanged.

    Example: `let report = try context.dryRun { try context.importJSON(data, ofEntity: "Hero") }`

    ### I13

    **Keys.** A mapped key that occurs twice in one object is rejected. Unmapped keys are ignored by default, but must be valid JSON.

    Example: `ImportOptions(unknownKeys: .error)` rejects every key that the model does not map.

    ### I14

    **Bytes go straight into the graph.** No tree of dictionaries is built unless a closure requires one.

    Example: importing a `Data` of 100 MB needs memory for the graph, and little more.

    ### I15

    **Limits** for bytes, depth, objects, string and number lengths and errors are options with safe defaults. Exceeding a limit causes an
    error, which is reported before memory is allocated. Nothing recurses once per level of the input.

    Example: `ImportOptions(limits: ImportLimits(bytes: 1_000_000))`

    ### I16

    **Streams.** JSON Lines and huge top-level arrays are imported from a file or a sequence in batches, in bounded memory, with
    progress. Either each batch is atomic, or the whole stream is.

    Example: `try context.importStream(contentsOf: url, ofEntity: "Event", format: .lines, batches: ImportBatches(size: 1_000))`

    ### I17

    **A whole stream is one payload.** Without a batch size, everything that is decided at the end of a payload is decided at the end of
    the stream: known identifiers, orphans, validation. The same applies to all payloads of one run: their order does not matter. With a
    batch size, each batch is a separate payload.

    Example: line 1 of a stream may refer, under `"unresolvedRule": "skip"`, to an object that only line 10,001 describes.

    ### I18

    **Tolerant imports.** With `faultyElements: .skip` (`--skip-faulty`), the result is exactly the same as if the outermost list of the payload
    did not have the elements that contain errors. The report lists each of these elements with its location and all its errors, and the
    warnings include these errors. A syntax error or an exceeded limit still fails the import, as does an error in a document outside its
    objects (M19). In JSON Lines, an error outside the objects of a line skips the objects of that line, and a line without objects under `at`
    is itself skipped. A skipped element is not treated as a mention of its object, so `missing: .delete` deletes the object.

    Example: of 500 objects, three have a wrong value. 497 are imported, and `report.faultyElements` has three elements.

    ### I19

    **Warnings.** An import that succeeds reports probable mistakes: dictionaries with the same identity that contradict each other, which
    suggests wrong identity attributes; a dictionary without any mapped key, such as an object that contains the objects to import; an unmapped
    key that is almost the same as a mapped key, if no object has the mapped key; an array whose order is lost; and a to-one whose identifier is
    0, `"0"`, an empty string or a UUID of zeros, if it creates a placeholder. `warnings: .error` (`--warnings error`) turns them into errors.

    Advice about an object that contains the objects to import includes their whole key path, even through arrays. If the objects are the values
    of an object, it names `@key`.

    Example: `expected a key that 'Hero' maps, found "data"`, and the note `if the objects are under "data.items", read them with at:
    "data.items"`

    ### I20

    **Hooks** cannot break an import. If a change in `didImport` fails, the error is reported at the dictionary of its object. `shouldImport`
    receives the stored object, if there is one. A dictionary that it skips still mentions its object, so `missing: .delete` keeps it. If a hook
    or another closure reads a required property whose value is missing, such as a property of a placeholder, the import fails.

    Example: `static func shouldImport(_ payload: JSON, updating stored: ManagedObject?) throws -> Bool`

    ### I21

    **In the background.** A ``BackgroundContext`` imports documents, files and sequences of bytes outside the main actor. Another
    context can repeat its commits in time proportional to the changes. Changes that cannot be repeated are returned.

    Example: `main.merge(changes)`

    ### I22

    **Lost links** are warnings ([I19](doc:Rules#I19)) with both locations. There is a warning if two lists or to-ones of a payload name the
    same object, although its inverse is a to-one; if an object names a second object, and the second object names a different object, a list
    without the first object, or null; if dictionaries with the same identity have different lists; and if an ordered list names an object
    twice. If a value differs from an earlier value of the same object in the payload, that is an update.

    Example: with the to-one `album` as the inverse of `genres`, genre 8 of `[{"id": "a1", "genres": [8]}, {"id": "a2", "genres": [8]}]` belongs
    only to album `a2`.

    ### I23

    **Merging a response into an object.** `object.merge(fromJSON:)` imports one object in JSON as if it described the given object, even if
    that object has a different identity. The object then gets the identity in JSON. Objects in its relationships that have no identity, but
    have an attribute that reads `@index`, are found by their position in the list; objects that have an alternate identity are found by it
    ([M27](#M27)). If another object has the identity, the import fails, and the error names that object. With `ifIdentityIsTaken: .unite`, the
    two become one. The object that has the identity takes the links of the given object, the values that it lacks, and then the values in JSON.
    References to either object then refer to the object that has the identity, and the delete rules do not apply.

    Example: an `Order` that the program inserted, with two lines at the positions 0 and 1, and the response
    `{"id": 7, "lines": [{"id": 21}, {"id": 22}]}`.

    ### I24

    **A list of a known parent.** `importJSON(_:into:of:)` reads a payload as the value of a relationship of an object, for responses that do
    not name the object that they belong to. The payload is read as if it were under the relationship's key in a dictionary of the object: the
    merge rule, inverse, orphans and validation work in the same way, and objects may be identified inside that owner (M12). The relationship
    needs no key path. Outside the payload's objects, `@parent` finds only what `at` leads through. The program names the object: `graft import
    'Album(9).photos=p.json'`. On the command line, an unknown object becomes a placeholder.

    Example: `try context.importJSON(data, into: "photos", of: album)`

    ## Exports

    ### E1

    **Forms.** `json(from:)` returns dictionaries and arrays as JSONSerialization would; `jsonData(from:)` writes bytes, and
    `writeJSON(from:to:)` writes a file, in pieces. With `writesLines`, each object is a document on its own line (JSON Lines). An object that
    would be written as an array is written inside another array. Only mapped properties are written. Nested key paths become nested objects.
    nil becomes null, or is omitted on request.

    Example: `try jsonData(from: hero, options: ExportOptions(omitsNil: true))`

    ### E2

    **Relationships** follow `JSONRepresentation`. In a nested object, the inverse of the relationship just followed is omitted. An object that
    is already being written at an outer level, a placeholder, and anything below the depth limit is written as its identifier. A shared object
    is written in full each time, unless `sharedObjects: .once`. With `rootsOnly`, an array omits objects that another object contains. An
    export that repeats more objects than its limit allows stops with an error, so no export takes too long.

    Example: `ExportOptions(sharedObjects: .once, maxDepth: 2)`

    ### E3

    **Exports are deterministic.** Keys are in model order, or sorted; ordered to-many relationships keep their order, and unordered ones are
    sorted by identity.

    Example: two exports of the same graph, in two processes, are equal byte for byte.

    ### E4

    **Round trip.** An export of an import is the same JSON by value, except for unmapped keys and the order of keys and of unordered
    relationships. The key of a declarative mapper is written. Importing an export changes nothing.

    Example: `try context.importJSON(try jsonData(from: heroes), ofEntity: "Hero")` reports every object as unchanged.

    ### E5

    **An export never destroys what it omits.** If an element of a relationship cannot be written, the relationship is omitted with
    its key; it is never written shorter, or as null. A to-one whose JSON an import would read as null (M20, M22) is also omitted. With
    `incompleteRelationships: .error`, the export fails instead.

    Example: below `maxDepth: 1`, a list of objects without identity is omitted, not written as `[]`.

    ### E6

    **Identifiers** are written in the form that the relationship's destination reads. If there is no such form, the object itself is written.
    The identifier of an object that is identified inside an owner ([M12](doc:Rules#M12)) contains the owner's own identifier.

    Example: an object of an entity with two identity attributes is written as `["DAW", 12]`.

    ### E7

    **Empty groups of nested keys.** If all properties of a group of nested keys are nil, the group is written as null, unless importing
    null would also clear a property that is not written. An empty to-many is `[]` wherever its key is written, even at the depth limit.

    Example: `"home": null` for the key paths `home.city` and `home.zip`, not `"home": {"city": null, "zip": null}`

    ### E8

    **Order in reports.** Reports list the objects of a relationship in the order of exports: ordered ones in their own order, unordered ones by
    identity.

    Example: `powers ["Power(2)","Power(10)"] -> ["Power(2)","Power(9)","Power(10)"]`

    ## Contexts

    ### C1

    **Managed objects.** ``ManagedObject`` is an open class; a subclass per entity is optional. Two references to one object are equal,
    and identical (`===`) while one of them is alive.

    Example: `hero["name"]` and `hero.name` read the same attribute.

    ### C2

    **A context** inserts objects, deletes them by the model's delete rules, finds them by identity, and fetches them with filters and sort
    keys. It reports what changed, and rolls changes back. A deleted object reports that it is deleted.

    Example: `try context.find(Hero.self, id: 1699)`

    ### C3

    **Concurrency.** Contexts and objects are not Sendable; models, registries, ``JSON``, reports, errors, snapshots and object IDs are.
    ``BackgroundContext`` is an actor that lends its context to a closure.

    Example: `let name = try await background.perform { context in try context.find(Hero.self, id)?.name }`

    ### C4

    **Codable.** Every managed object is `Encodable`. A class that is declared `Decodable` decodes into the context in
    `decoder.userInfo[.managedObjectContext]`; ``ManagedObjectUpsert`` and ``ManagedObjectsUpsert`` do so inside other types.

    Example: `try context.decode(Hero.self, from: data)`

    ## Stores

    ### S1

    **A context is created with its store.** A context without a store loses its objects when it is deallocated.

    Example: `try ManagedObjectContext(model: model, store: SQLiteStore(at: url, model: model))`

    ### S2

    **The database looks written by hand.** It has a table for each hierarchy, a column for each attribute and to-one, a table of pairs for each
    many-to-many relationship, a unique index for each identity, and an index for each to-one.

    Example: `SELECT "name" FROM "Hero" WHERE "publisher" = 9`

    ### S3

    **A context holds the part of the graph that it needs.** Objects are loaded by identity, by query or by following a relationship,
    in batches. An import first loads what its payload names.

    Example: following `publisher` on one of 500 fetched heroes loads the publishers of all of them.

    ### S4

    **A commit is durable.** It writes what changed in one transaction, all or nothing. An import commits automatically, together with earlier
    changes made in code, which are validated. A rollback returns to the last commit.

    Example: if a process is killed after `commit()` has returned, nothing is lost.

    ### S5

    **Conflicts.** An object or list is in conflict if it was changed in a context, and changed to something different in the store after the
    version that the context shows. A commit or merge then throws, or follows the context's policy. If two contexts insert the same identity,
    the later commit merges its object into the existing one. If other contexts change the data that an import is based on, the import is
    repeated with their data, unless the context also had changes made in code. A placeholder that became an object of a sub-entity in the
    context ([D5](#D5)) remains such an object under every policy; if it became an object of another entity in the store, no policy resolves the
    conflict. A commit that fails leaves the context unchanged.

    Example: `context.conflictPolicy = .mergeByProperty`

    ### S8

    **Several contexts and processes** can use a store. Reading does not wait for writing. A context shows one version of its store, with its
    own changes on top. It moves to the latest version on request, before an import and with a commit; with `mergesChanges`, also before each
    fetch, search and count. It makes no observable difference whether objects are loaded. A context can be the store of other contexts, its
    children.

    Example: `for await _ in store.commits() { try context.merge() }`

    ### S9

    **Models change.** A store is migrated when it is opened. A change that would lose objects or values requires consent: `removed` in
    the model file, or an option of the call. Otherwise the store is rejected with a list of the differences, and left unchanged. The order
    of entities and properties in the model file makes no difference.

    Example: `"name": {"type": "string", "renamedFrom": "title"}`; `graft diff Shop-1.json Shop-2.json`

    ### S10

    **Safety.** A file that is foreign, newer or damaged is refused and not changed. A full disk, a read-only file and a busy store cause
    errors, after which the context can try again. The same applies to a file that was moved, deleted or replaced while its store was open.

    Example: `graft store verify shop.graft`

    ### S12

    **Every store behaves alike,** and a context with a store behaves like one without.

    Example: the same imports and edits produce the same dump in memory, in a snapshot file and in SQLite.

    ### S17

    **Migrations that move data** are steps in Swift. A step runs once, in the transaction of the migration, when a store of an earlier
    `version` is opened. It sees the objects as they were and as they will be. The entities and properties that it replaces may change in any
    way. If it throws, or leaves an object that violates the model, the store stays as it was and is not opened.

    Example: `StoreMigration(to: "2", replacing: ["Hero.name"]) { step in try step.forEach("Hero") { old, new in … } }`

    ### S18

    **Live results** are always what a fetch, a count or an aggregate would return, in the same order. The differences of a list are steps that
    lead from one state to the next when they are applied in order. A change takes time in proportion to its own size, not to the size of the
    list, if the relationships that the condition and the order follow have inverses.

    Example: `let heroes = try context.results(Hero.self, sortedBy: \.name)`

    ### S19

    **The life of a store.** A store is opened with a model file, or with the model that wrote it. All its objects can be deleted in one commit,
    and its files removed.

    Example: `try SQLiteStore(at: url).removeAll()`

    ### S20

    **Search.** A comparison with `[c]` ignores case, and one with `[d]` ignores accents. It has the same meaning in memory and in every store,
    and depends neither on a locale nor on the operating system.

    Example: `name contains[cd] "angstrom"` finds `Ångström`.

    ### S21

    **Migrations in the model.** `migratedFrom` derives the values of a property from stores of earlier versions: part of a string, several
    strings joined, a value in another form, or, for a to-one, an object made from attributes. Every program that opens the store with the
    model, including tools, migrates it. Attributes that the model still has keep their values, unless they get other values in this way. Every
    old value is kept, moved, or removed with consent. If a value does not fit, cannot be held exactly by the new type, or contradicts another
    value, the error names the object, and the store stays as it was. It is also an error if the store does not have a source under any of its
    names.

    Example: `"age": {"type": "integer64", "migratedFrom": {"version": "2", "attributes": "age", "JSONTransformerName": "StringToInteger"}}`

    ## Details

    ### D1

    **Known identifiers.** For `unresolvedRule`, an identifier is known if it refers to a full object at the end of the payload.
    Forward references count; placeholders do not. `skip` leaves a to-one unchanged and drops an element of a to-many; `deny` is an
    error at the identifier.

    Example: `[{"id": 1, "rival": 2}, {"id": 2}]` links both, even with `"unresolvedRule": "deny"`.

    ### D2

    **null clears a relationship**, even under `union`. An ordered `union` appends new elements.

    Example: `{"id": 1, "powers": null}` removes all powers.

    ### D3

    **A null is treated as present**, so aliases are not tried after it. If both the path and an alias are present, the path wins. A payload of
    `null` imports nothing. It is an error if `at:` matches nothing.

    Example: `{"id": 1, "name": null, "title": "x"}` sets the name to nil, although `title` is an alias.

    ### D4

    **Discriminators.** A discriminator that is missing, or that the table does not list, is treated as no answer. Numbers and booleans are
    compared by their JSON text. If two keys of the table name the same entity, the first is written on export. For an object of the base
    entity, a key is written only if the table lists that entity.

    Example: `{"id": 1, "type": "sticker"}` becomes a `Message` if the table does not list `sticker`.

    ### D5

    **Narrowing.** A placeholder of a base entity becomes a placeholder of a sub-entity when a later mention specifies the sub-entity. It cannot
    become a sibling of a sub-entity. When a placeholder is filled, properties that the dictionary omits get their defaults. Defaults are in
    stored form and are never transformed.

    Example: the placeholder `Message(2)` becomes `Photo(2)` when `{"id": 2, "type": "photo"}` arrives.

    ### D6

    **Touched objects** include those that lose or gain a link through an inverse. If an object loses a required to-one, the import fails.
    `"optional": false` on a to-many means at least one.

    Example: removing the only line from an order fails if the order requires lines.

    ### D7

    **Locations.** Errors are ordered by the location of the offending value. The location of a missing value is its dictionary, with the
    missing key in the path. Paths are written `$.powers[0].id`, or `$['a.b']` if a key is not a plain word, from the root of the document.
    Lines end at LF or CRLF. Columns count Unicode scalars from 1; a tab is one column.

    Example: `$.data.heroes[3].powers[0].id`

    ### D8

    **Text.** Duplicate keys are rejected, even inside a `json` value and for an intermediate key of a key path. A UTF-8 byte order mark is
    skipped. UTF-16 and UTF-32 are rejected with an error that names them. Lone surrogates are rejected. NUL is an ordinary character.

    Example: `{"home": {"city": 1}, "home": {}}` is rejected if `home.city` is mapped.

    ### D9

    **Values.** `double` and `float` round to nearest; overflow causes an error; -0.0 is kept, and equals 0 as an identity. `decimal` holds what
    Foundation's `Decimal` holds exactly (38 digits). A `date` is in the years 0000 to 9999, which is what RFC 3339 can write; all other dates
    are rejected. Dates are written in UTC with `Z`, with microsecond precision. Further digits are rounded; in the last microsecond of 9999,
    they are rounded down. base64 is strict. A `uri` must parse as a URL. Lengths count Unicode scalars.

    Dates are stored as microseconds. A `Date` represents every microsecond from 1728 to 2273, and every thirtieth in the year 9999.
    Identities and IDs are exact. A `Date` from a program equals all dates that are read as that `Date`.

    A `uri` keeps its text. The `URL` that a program reads escapes characters beyond ASCII, and writes a host that has such characters
    as `xn--...`. That `URL` still finds the URI, unless the host has capitals or decomposed characters.

    Example: `1e400` is rejected for a `double`, and `1e-400` is 0.

    ### D10

    **Reports of several payloads** are one report. Inserted takes precedence over updated. A placeholder created and filled in one run is
    reported as inserted. A mention by identifier alone is reported only if it creates a placeholder. An object that merely gained a link
    through an inverse is not reported as updated.

    If a payload deletes an object without identity and inserts one with equal contents, both are treated as the same object in relationships,
    so the objects that refer to them are not reported as updated. Contents are equal if the entities and attributes are equal, and if
    relationships contain the same objects or objects with equal contents.

    Example: importing a hero twice in one run reports one insertion.

    ### D11

    **More checks of models.** Bounds that no value can satisfy, validation keywords that do not fit the type, and an empty `enum` cause errors,
    as does a mapped relationship to an abstract entity without a mapper.

    Example: `{"type": "integer16", "minimum": 5, "maximum": 3}`

    ### D12

    **Keys of model files.** The error for an unknown key names the nearest legal key if it is similar, and all legal keys otherwise. `userInfo`
    may hold any keys. `deleteOrphans` without an inverse is rejected; `deleteOrphans` also applies to the object that a replaced to-one
    referred to, and is decided at the end of the payload. An identity relationship ([M12](doc:Rules#M12)) needs no key path; in an identifier,
    the owner's own identifier takes its place.

    Example: `unknown key 'parnt' in entity 'Hero'; did you mean 'parent'?`

    ### D13

    **Skipped dictionaries** are treated as the identifier of their object if it exists, and as absent otherwise: links to it remain, and
    `missing: .delete` keeps it. Hooks, `"otherwise": null` and `modificationAttribute` skip dictionaries. A dictionary that deletes its object
    is treated as the identifier of that object until the deletion. An `at:` that refers to null imports nothing.

    Example: a `shouldImport` hook that returns false for `{"id": 1, "draft": true}` leaves hero 1 unchanged.

    ### D14

    **Dictionaries and bytes agree.** Swift dictionaries produce the same graph as bytes with the same values, and the same errors except for
    lines, columns, order and duplicate keys. Order never decides what exists, only which of two contradictory values wins: the later one. Only
    a `modificationAttribute` ([M17](#M17)) lets an earlier dictionary cause a later one to be skipped with everything in it.

    Example: `["id": 1]` and `{"id": 1}` import the same object.

    ### D15

    **Objects that cannot be named.** If an object that has no identifier is already being written at an outer level, its relationship is
    omitted. The relationships of a deleted object are empty; its attributes may keep their last values until the context forgets the deleted
    object at a commit, after which they are nil. Setting one of its properties traps, and `setValue` throws.

    Example: a tree of objects without identity is written from the root down, without the inverse relationships.
    """#
}
