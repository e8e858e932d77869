#!/usr/bin/env python3
"""Checks the result of importing a real document with Graft, independently of Graft.

    verify.py --document twitter.json --dump dump.json
    verify.py --document twitter.json --dump dump.json --again second-dump.json --export Tweet=tweets.json

Reads the document and computes the expected graph: objects, placeholders, links and many attributes. The expectations are
written by hand below for three documents: twitter.json, github_events.json and citm_catalog.json. The script recognizes
each document by its contents.

--dump    the output of `graft import --dump`. It must equal the expected graph. Every link must lead to an object, and
          both sides of a relationship must agree.
--again   the dump after importing the same payloads again. It must be equal.
--export  the output of `graft import --export ENTITY=FILE` (repeatable). It must equal the mapped part of the document by
          value. Only that mapping is taken from the model file. A key that is absent in the document may be null in the
          export, or have the value that the document gives the same object elsewhere.

Exit status: 0 for success, 1 for differences (listed on stderr), 2 for a usage error or an unreadable file.
"""

import argparse
import json
import os
import sys
from collections import Counter
from datetime import datetime, timezone
from decimal import Decimal

MAXIMUM_SHOWN = 20
ABSENT = object()


class Findings:
    """Collects differences, so that one run can show all of them."""

    def __init__(self):
        self.messages = []

    def add(self, message):
        self.messages.append(message)

    def expect(self, condition, message):
        if not condition:
            self.add(message)


# -- JSON ------------------------------------------------------------------------------------------------------------


def refuse_repeated_keys(pairs):
    result = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"the key {key!r} occurs twice in one object")
        result[key] = value
    return result


def load_json(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(file.read(), parse_float=Decimal, object_pairs_hook=refuse_repeated_keys)


def load_model(path):
    """Reads a model file: JSON with comments and trailing commas."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    kept, position = [], 0
    while position < len(text):
        character = text[position]
        if character == '"':
            end = position + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            kept.append(text[position : end + 1])
            position = end + 1
        elif text.startswith("//", position):
            end = text.find("\n", position)
            position = len(text) if end < 0 else end
        elif text.startswith("/*", position):
            position = text.index("*/", position) + 2
        else:
            if character in "]}":
                # If there is a trailing comma, it is the last piece that was kept, except for white space.
                index = len(kept) - 1
                while index >= 0 and kept[index].isspace():
                    index -= 1
                if index >= 0 and kept[index] == ",":
                    kept[index] = ""
            kept.append(character)
            position += 1
    return Model(json.loads("".join(kept), object_pairs_hook=refuse_repeated_keys))


def same(left, right):
    """Returns whether values are equal: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, Decimal)) and isinstance(right, (int, Decimal)):
        return left == right
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


def shown(value):
    text = "nothing" if value is ABSENT else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 120 else text[:117] + "..."


# -- The parts of the model for an export -------------------------------------------------------------------------------


class Property:
    def __init__(self, name, description, is_relationship):
        if isinstance(description, str):
            description = {"type": description}
        path = description.get("JSONKeyPath")
        self.name = name
        self.is_relationship = is_relationship
        self.path = path if isinstance(path, list) or path is None else path.split(".")
        self.aliases = [a if isinstance(a, list) else a.split(".") for a in description.get("JSONKeyPathAliases", [])]
        self.destination = description.get("destination")
        self.inverse = description.get("inverse")
        self.is_to_many = description.get("toMany", False)
        self.is_ordered = description.get("ordered", False)
        self.representation = description.get("JSONRepresentation", "object")


class Entity:
    def __init__(self, name, description, model):
        self.name = name
        self.parent = model.entities[description["parent"]] if "parent" in description else None
        self.root = self.parent.root if self.parent else name
        identity = description.get("identityAttributes", [])
        if isinstance(identity, str):
            identity = [word.strip() for word in identity.split(",")]
        inherited = self.parent.identity if self.parent else []
        self.identity = inherited + [word for word in identity if word not in inherited]
        self.properties = dict(self.parent.properties) if self.parent else {}
        for kind in ("attributes", "relationships"):
            for key, value in description.get(kind, {}).items():
                self.properties[key] = Property(key, value, kind == "relationships")
        self.mapper = description.get("entityMapper") or (self.parent.mapper if self.parent else None)
        self.is_abstract = description.get("abstract", False)
        self.is_keyed = any(p.path == ["@key"] for p in self.properties.values())

    def is_kind_of(self, name):
        return self.name == name or (self.parent is not None and self.parent.is_kind_of(name))


class Model:
    def __init__(self, description):
        self.entities = {}
        waiting = dict(description["entities"])
        while waiting:
            ready = [n for n, d in waiting.items() if d.get("parent", n) in self.entities or "parent" not in d]
            if not ready:
                raise ValueError("an entity has an unknown parent, or is its own ancestor")
            for name in ready:
                self.entities[name] = Entity(name, waiting.pop(name), self)

    def chosen(self, entity, dictionary):
        """Returns the sub-entity that the declarative mapper selects."""
        if entity.mapper and isinstance(dictionary, dict):
            answer = look(dictionary, entity.mapper["JSONKeyPath"].split("."))
            name = entity.mapper["entities"].get(answer if isinstance(answer, str) else json.dumps(answer, default=str))
            if name:
                return self.entities[name]
        return entity


def look(value, path, key=ABSENT):
    """Returns the value at a key path; `key` is the key of the value itself."""
    if path == ["@key"]:
        return key
    if path == ["@value"]:
        return ABSENT if isinstance(value, dict) else value
    for word in path:
        if value is None:
            return None
        if not isinstance(value, dict) or word not in value:
            return ABSENT
        value = value[word]
    return value


def read(prop, value, key):
    for path in [prop.path] + prop.aliases:
        found = look(value, path, key)
        if found is not ABSENT:
            return found
    return ABSENT


# -- Export: the mapped part of the document -----------------------------------------------------------------------


class MappedPart:
    """Merges the dictionaries of each object by identity: later values replace earlier ones, and absent keys keep them."""

    def __init__(self, model):
        self.model = model
        self.objects = {}  # (root entity, identity) -> (entity, {property name: raw value})
        self.contradictions = []

    def take_all(self, entity_name, payload):
        entity = self.model.entities[entity_name]
        for key, value in elements(entity, payload):
            self.take(entity, value, key)

    def take(self, declared, value, key=ABSENT):
        if value is None or (not isinstance(value, dict) and not declared.is_keyed):
            return
        entity = self.model.chosen(declared, value)
        said = self.said(entity, value, key)
        for prop in entity.properties.values():
            if prop.is_relationship and prop.name in said and prop.representation == "object":
                destination = self.model.entities[prop.destination]
                many = elements(destination, said[prop.name]) if prop.is_to_many else [(ABSENT, said[prop.name])]
                for inner_key, inner in many:
                    if isinstance(inner, dict):
                        self.take(destination, inner, inner_key)
        identity = self.identity(entity, said)
        if identity is None:
            return
        _, merged = self.objects.setdefault((entity.root, identity), (entity, {}))
        for name, new in said.items():
            if name in merged and not entity.properties[name].is_relationship and not same(merged[name], new):
                self.contradictions.append(f"{entity.name}({identity}).{name}: {shown(merged[name])}, then {shown(new)}")
            merged[name] = new

    def said(self, entity, value, key):
        found = ((prop.name, read(prop, value, key)) for prop in entity.properties.values() if prop.path)
        return {name: value for name, value in found if value is not ABSENT}

    def identity(self, entity, said):
        values = [said.get(name) for name in entity.identity]
        if not values or any(value is None for value in values):
            return None
        return tuple(str(value) for value in values)


def elements(entity, value):
    """Returns the elements of a payload or a to-many: (key or ABSENT, value)."""
    if isinstance(value, list):
        return [(ABSENT, element) for element in value]
    if isinstance(value, dict) and (entity.is_keyed or any(["@key"] in p.aliases for p in entity.properties.values())):
        return list(value.items())
    return [] if value is None else [(ABSENT, value)]


class ExportComparison:
    def __init__(self, mapped, findings):
        self.mapped = mapped
        self.model = mapped.model
        self.findings = findings
        self.values = 0

    def compare_file(self, entity_name, exported):
        entity = self.model.entities[entity_name]
        expected = {i for (root, i), (e, _) in self.mapped.objects.items() if root == entity.root and e.is_kind_of(entity_name)}
        found = set()
        shape = dict if entity.is_keyed else list
        if not isinstance(exported, shape):
            self.findings.add(f"the export of {entity_name} is a {type(exported).__name__}, not a {shape.__name__}")
            return
        for number, (key, value) in enumerate(elements(entity, exported)):
            path = f"$[{number}]" if key is ABSENT else f"$[{key!r}]"
            if not isinstance(value, dict) and not entity.is_keyed:
                continue  # a placeholder, written as its identifier
            chosen = self.model.chosen(entity, value)
            said = self.mapped.said(chosen, value, key)
            identity = self.mapped.identity(chosen, said)
            if identity in found:
                self.findings.add(f"export of {entity_name}, {path}: {identity} occurs twice")
            if identity not in expected:
                if any(v is not None and n not in chosen.identity for n, v in said.items() if not isinstance(v, list)):
                    self.findings.add(f"export of {entity_name}, {path}: the document has no complete object with this identity: {identity}")
                continue
            found.add(identity)
            self.compare_object(entity, value, key, ABSENT, path, [])
        for identity in sorted(expected - found):
            self.findings.add(f"export of {entity_name}: {identity} is missing")

    def compare_object(self, declared, value, key, source, path, trail, back=None):
        """For an object without identity, `source` is the raw dictionary that it was imported from."""
        entity = self.model.chosen(declared, value)
        if entity.is_abstract:
            self.findings.add(f"{path}: the key that selects the kind of {entity.name} is missing or wrong")
            return
        said = self.mapped.said(entity, value, key)
        identity = self.mapped.identity(entity, said)
        if identity is not None:
            if (entity.root, identity) not in self.mapped.objects:
                self.findings.add(f"{path}: the document has no {entity.name} {identity}")
                return
            _, expected = self.mapped.objects[(entity.root, identity)]
        else:
            expected = self.mapped.said(entity, source, key)
        self.only_mapped_keys(entity, value, path)
        for prop in entity.properties.values():
            if not prop.path or prop.representation == "none" or prop.name == back:
                continue
            want, have = expected.get(prop.name), said.get(prop.name)
            self.compare_property(prop, have, want, f"{path}.{'.'.join(prop.path)}", trail + [(entity.root, identity)])

    def compare_property(self, prop, have, want, path, trail):
        self.values += 1
        if not prop.is_relationship or prop.representation == "identifier":
            if prop.is_to_many and prop.is_relationship:
                have, want = have or [], want or []
                if not prop.is_ordered and isinstance(have, list) and isinstance(want, list):
                    have, want = sorted(have, key=str), sorted(want, key=str)
            if not same(have, want):
                self.findings.add(f"{path}: the export has {shown(have)}, the document {shown(want)}")
            return
        destination = self.model.entities[prop.destination]
        if not prop.is_to_many:
            if isinstance(have, dict) and isinstance(want, dict):
                self.compare_object(destination, have, ABSENT, want, path, trail, prop.inverse)
            elif not same(have, want) and not self.is_cut(destination, have, want, trail):
                self.findings.add(f"{path}: the export has {shown(have)}, the document {shown(want)}")
            return
        has, wants = elements(destination, have), [pair for pair in elements(destination, want) if pair[1] is not None]
        if len(has) != len(wants):
            self.findings.add(f"{path}: the export has {len(has)} elements, the document {len(wants)}")
            return
        if not prop.is_ordered:
            def order(pair):
                said = self.mapped.said(destination, pair[1], pair[0])
                return str(self.mapped.identity(destination, said) or pair[1])
            has, wants = sorted(has, key=order), sorted(wants, key=order)
        for number, ((key, one), (_, other)) in enumerate(zip(has, wants)):
            if isinstance(one, dict) and isinstance(other, dict):
                self.compare_object(destination, one, key, other, f"{path}[{number}]", trail, prop.inverse)
            elif not same(one, other) and not self.is_cut(destination, one, other, trail):
                self.findings.add(f"{path}[{number}]: the export has {shown(one)}, the document {shown(other)}")

    def is_cut(self, destination, have, want, trail):
        """Returns whether the export has only the identifier of an object that is already being written further up."""
        return isinstance(want, dict) and not isinstance(have, (dict, type(None))) and any(
            root == destination.root and identity == (str(have),) for root, identity in trail)

    def only_mapped_keys(self, entity, value, path):
        tree = {}
        paths = [p.path for p in entity.properties.values() if p.path]
        if entity.mapper:
            paths.append(entity.mapper["JSONKeyPath"].split("."))
        for words in paths:
            branch = tree
            for word in words:
                branch = branch.setdefault(word, {})

        def walk(value, tree, path):
            for key in value if isinstance(value, dict) else ():
                if key not in tree:
                    self.findings.add(f"{path}.{key}: the export has a key that is not mapped")
                elif tree[key]:
                    walk(value[key], tree[key], f"{path}.{key}")

        walk(value, tree, path)


# -- Dump: the expected graph ------------------------------------------------------------------------------------------


class Owned:
    """Describes an object without identity by its attributes and links."""

    def __init__(self, entity, attributes=None, **links):
        self.entity, self.attributes, self.links = entity, attributes or {}, links


class ExpectedGraph:
    def __init__(self):
        self.full = {}  # id -> (entity, attributes, links)
        self.mentioned = {}  # id -> entity, known by identifier

    def object(self, entity, identity, attributes=None, **links):
        name = f"{entity}({identity})"
        _, old_attributes, old_links = self.full.get(name, (entity, {}, {}))
        self.full[name] = (entity, {**old_attributes, **(attributes or {})}, {**old_links, **links})
        return name

    def reference(self, entity, identity):
        if identity is None:
            return None
        self.mentioned[f"{entity}({identity})"] = entity
        return f"{entity}({identity})"

    @property
    def placeholders(self):
        return {name: entity for name, entity in self.mentioned.items() if name not in self.full}


class DumpComparison:
    def __init__(self, dump, findings):
        self.dump, self.findings = dump, findings
        self.objects = {}
        self.links = Counter()
        self.owned = Counter()
        for entity, records in dump.items():
            for record in records:
                if record["id"] in self.objects:
                    findings.add(f"{record['id']} occurs twice in the dump")
                self.objects[record["id"]] = (entity, record)

    def compare(self, graph):
        for name, (entity, attributes, links) in graph.full.items():
            record = self.record(name, entity, False)
            if record:
                self.compare_record(name, record, attributes, links)
        for name, entity in graph.placeholders.items():
            self.record(name, entity, True)
        # The dump must not contain anything else.
        expected = Counter(entity for entity, _, _ in graph.full.values()) + Counter(graph.placeholders.values()) + self.owned
        actual = Counter({entity: len(records) for entity, records in self.dump.items() if records})
        for entity in sorted(expected.keys() | actual.keys()):
            self.findings.expect(
                expected[entity] == actual[entity],
                f"{entity}: the dump has {actual[entity]} objects, the document {expected[entity]}")
        return expected

    def record(self, name, entity, placeholder):
        if name not in self.objects:
            self.findings.add(f"{name} is missing in the dump")
            return None
        actual, record = self.objects[name]
        self.findings.expect(actual == entity, f"{name} is listed under {actual}, not {entity}")
        self.findings.expect(
            record["placeholder"] is placeholder,
            f"{name} should {'' if placeholder else 'not '}be a placeholder")
        return record

    def compare_record(self, name, record, attributes, links):
        for key, want in attributes.items():
            have = record["attributes"].get(key, ABSENT)
            if not same(have, want):
                self.findings.add(f"{name}.{key}: the dump has {shown(have)}, the document {shown(want)}")
        for key, want in links.items():
            have = record["relationships"].get(key, ABSENT)
            if isinstance(want, list) and isinstance(have, list):
                self.links[f"{name.split('(')[0].split('#')[0]}.{key}"] += len(want)
                if len(have) != len(want):
                    self.findings.add(f"{name}.{key}: the dump has {len(have)} links, the document {len(want)}")
                    continue
                for number, (one, other) in enumerate(zip(have, want)):
                    self.compare_link(f"{name}.{key}[{number}]", one, other)
            else:
                self.links[f"{name.split('(')[0].split('#')[0]}.{key}"] += want is not None
                self.compare_link(f"{name}.{key}", have, want)

    def compare_link(self, path, have, want):
        if not isinstance(want, Owned):
            self.findings.expect(same(have, want), f"{path}: the dump has {shown(have)}, the document {shown(want)}")
            return
        self.owned[want.entity] += 1
        entity, record = self.objects.get(have, (None, None)) if isinstance(have, str) else (None, None)
        if entity != want.entity:
            self.findings.add(f"{path}: the dump has {shown(have)}, an object of {want.entity} was expected")
            return
        self.compare_record(have, record, want.attributes, want.links)

    def check_links(self, model):
        """Checks that every link leads to an object whose inverse leads back."""
        for name, (entity, record) in self.objects.items():
            for key, value in record["relationships"].items():
                prop = model.entities[entity].properties.get(key)
                if prop is None:
                    self.findings.add(f"{name}.{key}: the model has no such relationship")
                    continue
                targets = value if isinstance(value, list) else [] if value is None else [value]
                self.findings.expect(isinstance(value, list) == prop.is_to_many, f"{name}.{key}: {shown(value)}")
                self.findings.expect(len(set(targets)) == len(targets), f"{name}.{key} holds an object twice")
                for target in targets:
                    if target not in self.objects:
                        self.findings.add(f"{name}.{key} leads to {target}, which is not in the dump")
                    elif prop.inverse:
                        back = self.objects[target][1]["relationships"][prop.inverse]
                        agrees = name in self.backs(target, prop.inverse, back)
                        self.findings.expect(agrees, f"{target}.{prop.inverse} does not lead back to {name}")

    def backs(self, target, inverse, value):
        cache = self.__dict__.setdefault("back_sets", {})
        if (target, inverse) not in cache:
            cache[(target, inverse)] = set(value if isinstance(value, list) else [value])
        return cache[(target, inverse)]


def rfc3339(moment):
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def twitter_date(text):
    return rfc3339(datetime.strptime(text, "%a %b %d %H:%M:%S %z %Y"))


# -- Contents of twitter.json ---------------------------------------------------------------------------------------


class Twitter:
    model = "Twitter.json"

    @staticmethod
    def payloads(document):
        return [("Tweet", document["statuses"])]

    @classmethod
    def graph(cls, document):
        graph = ExpectedGraph()
        for status in document["statuses"]:
            cls.tweet(graph, status)
        return graph

    @classmethod
    def tweet(cls, graph, status):
        entities = status["entities"]
        retweeted = status.get("retweeted_status")
        return graph.object(
            "Tweet",
            status["id"],
            {
                "identifier": int(status["id_str"]),
                "text": status["text"],
                "createdAt": twitter_date(status["created_at"]),
                "language": status["lang"],
                "client": status["source"],
                "searchLanguage": status["metadata"]["iso_language_code"],
                "resultType": status["metadata"]["result_type"],
                "retweetCount": status["retweet_count"],
                "favoriteCount": status["favorite_count"],
                "isPossiblySensitive": status.get("possibly_sensitive"),
                "symbols": entities["symbols"],
                "place": status["place"],
            },
            user=cls.user(graph, status["user"]),
            retweetOf=cls.tweet(graph, retweeted) if retweeted else None,
            inReplyTo=graph.reference("Tweet", status["in_reply_to_status_id_str"]),
            inReplyToUser=graph.reference("User", status["in_reply_to_user_id_str"]),
            mentions=[
                Owned(
                    "Mention",
                    {"screenName": mention["screen_name"], "name": mention["name"], "indices": mention["indices"]},
                    user=graph.reference("User", mention["id_str"]),
                )
                for mention in entities["user_mentions"]
            ],
            hashtags=[
                Owned("HashtagUse", {"indices": use["indices"]}, hashtag=graph.reference("Hashtag", use["text"]))
                for use in entities["hashtags"]
            ],
            links=[
                Owned(
                    "Link",
                    {
                        "url": link["url"],
                        "expandedURL": link["expanded_url"],
                        "shownAs": link["display_url"],
                        "indices": link["indices"],
                    },
                )
                for link in entities["urls"]
            ],
            media=[
                Owned(
                    "Medium",
                    {
                        "identifier": medium["id"],
                        "kind": medium["type"],
                        "mediaURL": medium["media_url"],
                        "sizes": medium["sizes"],
                        "indices": medium["indices"],
                        "sourceTweetIdentifier": int(medium.get("source_status_id_str", 0)) or None,
                    },
                )
                for medium in entities.get("media", [])
            ],
        )

    @staticmethod
    def user(graph, user):
        return graph.object(
            "User",
            user["id"],
            {
                "identifier": int(user["id_str"]),
                "name": user["name"],
                "screenName": user["screen_name"],
                "createdAt": twitter_date(user["created_at"]),
                "about": user["description"],
                "website": user["url"],
                "secondsFromUTC": user["utc_offset"],
                "followersCount": user["followers_count"],
                "tweetsCount": user["statuses_count"],
                "isVerified": user["verified"],
                "bannerURL": user.get("profile_banner_url"),
                "websiteLinks": user["entities"].get("url", {}).get("urls"),
                "aboutLinks": user["entities"]["description"]["urls"],
            },
        )


# -- Contents of github_events.json ------------------------------------------------------------------------------------


class GitHubEvents:
    model = "GitHubEvents.json"
    kinds = {
        "CreateEvent": "CreateEvent",
        "ForkEvent": "ForkEvent",
        "GollumEvent": "WikiEvent",
        "IssueCommentEvent": "IssueCommentEvent",
        "IssuesEvent": "IssueEvent",
        "PushEvent": "PushEvent",
        "WatchEvent": "WatchEvent",
    }

    @staticmethod
    def payloads(document):
        return [("Event", document)]

    @classmethod
    def graph(cls, document):
        graph = ExpectedGraph()
        for event in document:
            cls.event(graph, event)
        return graph

    @classmethod
    def event(cls, graph, event):
        kind, payload = event["type"], event["payload"]
        attributes = {
            "identifier": int(event["id"]),
            "createdAt": event["created_at"],
            "isPublic": event["public"],
        }
        links = {
            "actor": cls.user(graph, event["actor"]),
            "repository": graph.object(
                "Repository",
                event["repo"]["id"],
                {"fullName": event["repo"]["name"], "url": event["repo"]["url"]},
            ),
            "organization": cls.organization(graph, event["org"]) if "org" in event else None,
        }
        if kind == "PushEvent":
            attributes.update(
                pushIdentifier=payload["push_id"],
                ref=payload["ref"],
                head=payload["head"],
                before=payload["before"],
                size=payload["size"],
                distinctSize=payload["distinct_size"],
            )
            links["commits"] = [cls.commit(graph, commit) for commit in payload["commits"]]
        elif kind == "CreateEvent":
            attributes.update(
                refType=payload["ref_type"],
                ref=payload["ref"],
                masterBranch=payload["master_branch"],
                about=payload["description"],
            )
        elif kind == "ForkEvent":
            links["fork"] = cls.fork(graph, payload["forkee"])
        elif kind == "WatchEvent":
            attributes.update(action=payload["action"])
        elif kind in ("IssuesEvent", "IssueCommentEvent"):
            attributes.update(action=payload["action"])
            links["issue"] = cls.issue(graph, payload["issue"])
            if kind == "IssueCommentEvent":
                links["comment"] = cls.comment(graph, payload["comment"])
        elif kind == "GollumEvent":
            links["pages"] = [cls.page(graph, page) for page in payload["pages"]]
        graph.object(cls.kinds[kind], event["id"], attributes, **links)

    @staticmethod
    def user(graph, user):
        attributes = {
            "identifier": user["id"],
            "login": user["login"],
            "avatarURL": user["avatar_url"],
            "gravatarIdentifier": user["gravatar_id"],
            "url": user["url"],
        }
        if "type" in user:
            attributes.update(kind=user["type"], gistsURL=user["gists_url"], followersURL=user["followers_url"])
        return graph.object("User", user["id"], attributes)

    @staticmethod
    def organization(graph, org):
        return graph.object("Organization", org["id"], {"login": org["login"], "url": org["url"]})

    @staticmethod
    def commit(graph, commit):
        return graph.object(
            "Commit",
            commit["sha"],
            {
                "message": commit["message"],
                "authorName": commit["author"]["name"],
                "authorEmail": commit["author"]["email"],
                "url": commit["url"],
            },
        )

    @classmethod
    def fork(cls, graph, fork):
        return graph.object(
            "Fork",
            fork["id"],
            {
                "name": fork["name"],
                "fullName": fork["full_name"],
                "about": fork["description"],
                "homepage": fork["homepage"],
                "createdAt": fork["created_at"],
                "pushedAt": fork["pushed_at"],
                "sizeInKilobytes": fork["size"],
                "isFork": fork["fork"],
                "issuesURL": fork["issues_url"],
                "cloneURL": fork["clone_url"],
                "mirrorURL": fork["mirror_url"],
            },
            owner=cls.user(graph, fork["owner"]),
        )

    @classmethod
    def issue(cls, graph, issue):
        return graph.object(
            "Issue",
            issue["id"],
            {
                "number": issue["number"],
                "title": issue["title"],
                "body": issue["body"],
                "state": issue["state"],
                "commentsCount": issue["comments"],
                "createdAt": issue["created_at"],
                "closedAt": issue["closed_at"],
                "pullRequestURL": issue["pull_request"]["html_url"],
            },
            user=cls.user(graph, issue["user"]),
            assignee=cls.user(graph, issue["assignee"]) if issue["assignee"] else None,
            labels=[
                graph.object("Label", label["url"], {"name": label["name"], "color": label["color"]})
                for label in issue["labels"]
            ],
        )

    @classmethod
    def comment(cls, graph, comment):
        return graph.object(
            "Comment",
            comment["id"],
            {"body": comment["body"], "createdAt": comment["created_at"], "url": comment["url"]},
            user=cls.user(graph, comment["user"]),
        )

    @staticmethod
    def page(graph, page):
        return graph.object(
            "PageRevision",
            f"{page['html_url']},{page['sha']}",
            {"pageName": page["page_name"], "title": page["title"], "summary": page["summary"], "action": page["action"]},
        )


# -- Contents of citm_catalog.json --------------------------------------------------------------------------------------


class Catalog:
    model = "Catalog.json"
    names = {
        "Venue": ("venueNames", "code"),
        "Topic": ("topicNames", "identifier"),
        "SubTopic": ("subTopicNames", "identifier"),
        "Subject": ("subjectNames", "code"),
        "SeatCategory": ("seatCategoryNames", "identifier"),
        "Area": ("areaNames", "identifier"),
        "Block": ("blockNames", "identifier"),
        "AudienceSubCategory": ("audienceSubCategoryNames", "identifier"),
    }

    @classmethod
    def payloads(cls, document):
        names = [(entity, document[key]) for entity, (key, _) in cls.names.items()]
        return [
            ("Event", document["events"]),
            ("Performance", document["performances"]),
            ("SubTopicList", document["topicSubTopics"]),
        ] + names

    @classmethod
    def graph(cls, document):
        graph = ExpectedGraph()
        for entity, (key, identity) in cls.names.items():
            for code, name in document[key].items():
                graph.object(entity, code, {identity: int(code) if identity == "identifier" else code, "name": name})
        for topic, subtopics in document["topicSubTopics"].items():
            graph.object(
                "SubTopicList",
                topic,
                {"topicIdentifier": int(topic)},
                subTopics=[graph.reference("SubTopic", subtopic) for subtopic in subtopics],
            )
        for event in document["events"].values():
            graph.object(
                "Event",
                event["id"],
                {
                    "identifier": event["id"],
                    "name": event["name"],
                    "subtitle": event["subtitle"],
                    "about": event["description"],
                    "logo": event["logo"],
                },
                subject=graph.reference("Subject", event["subjectCode"]),
                topics=[graph.reference("Topic", topic) for topic in event["topicIds"]],
                subTopics=[graph.reference("SubTopic", subtopic) for subtopic in event["subTopicIds"]],
            )
        for performance in document["performances"]:
            graph.object(
                "Performance",
                performance["id"],
                {
                    "identifier": performance["id"],
                    "name": performance["name"],
                    "logo": performance["logo"],
                    "seatMapImage": performance["seatMapImage"],
                    "startsAt": rfc3339(datetime.fromtimestamp(performance["start"] // 1000, timezone.utc)),
                },
                event=graph.reference("Event", performance["eventId"]),
                venue=graph.reference("Venue", performance["venueCode"]),
                prices=[
                    Owned(
                        "Price",
                        {"amount": price["amount"]},
                        performance=f"Performance({performance['id']})",
                        seatCategory=graph.reference("SeatCategory", price["seatCategoryId"]),
                        audienceSubCategory=graph.reference("AudienceSubCategory", price["audienceSubCategoryId"]),
                    )
                    for price in performance["prices"]
                ],
                seating=[
                    Owned(
                        "Seating",
                        performance=f"Performance({performance['id']})",
                        seatCategory=graph.reference("SeatCategory", category["seatCategoryId"]),
                        areas=[
                            Owned(
                                "SeatingArea",
                                area=graph.reference("Area", area["areaId"]),
                                blocks=[graph.reference("Block", block) for block in area["blockIds"]],
                            )
                            for area in category["areas"]
                        ],
                    )
                    for category in performance["seatCategories"]
                ],
            )
        return graph


def recognize(document):
    if isinstance(document, dict) and "statuses" in document:
        return Twitter
    if isinstance(document, dict) and "performances" in document:
        return Catalog
    if isinstance(document, list) and document and "payload" in document[0]:
        return GitHubEvents
    raise ValueError("this is none of the documents that this script knows")


def main():
    parser = argparse.ArgumentParser(description="Checks the result of importing a real document with Graft, independently of Graft.")
    parser.add_argument("--document", required=True, help="twitter.json, github_events.json or citm_catalog.json")
    parser.add_argument("--dump", help="the output of 'graft import --dump'")
    parser.add_argument("--again", help="the dump after a second import of the same document")
    parser.add_argument("--export", action="append", default=[], metavar="ENTITY=FILE", help="the output of '--export'")
    parser.add_argument("--model", help="the model file (default: the one in Models/)")
    arguments = parser.parse_args()

    findings = Findings()
    try:
        document = load_json(arguments.document)
        kind = recognize(document)
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Models")
        model = load_model(arguments.model or os.path.join(folder, kind.model))
        graph = kind.graph(document)
        dump = load_json(arguments.dump) if arguments.dump else None
        again = load_json(arguments.again) if arguments.again else None
        exports = []
        for text in arguments.export:
            entity, equals, path = text.partition("=")
            if not equals:
                entity, path = kind.payloads(document)[0][0], text
            if entity not in model.entities:
                raise ValueError(f"the model has no entity {entity!r}")
            exports.append((entity, load_json(path)))
    except (OSError, ValueError) as error:
        print(f"verify.py: {error}", file=sys.stderr)
        return 2

    full = Counter(entity for entity, _, _ in graph.full.values())
    waiting = Counter(graph.placeholders.values())
    if dump is not None:
        comparison = DumpComparison(dump, findings)
        expected = comparison.compare(graph)
        comparison.check_links(model)
        for entity in sorted(expected):
            note = f", {waiting[entity]} of them placeholders" if waiting[entity] else ""
            print(f"{expected[entity]:6} {entity}{note}")
        for name in sorted(comparison.links):
            print(f"{comparison.links[name]:6} links {name}")
    else:
        for entity in sorted(full | waiting):
            print(f"{full[entity]:6} {entity}" + (f" and {waiting[entity]} placeholders" if waiting[entity] else ""))
    if again is not None:
        if dump is None:
            parser.error("--again needs --dump")
        findings.expect(dump == again, "the second import changed the graph: the dumps differ")
        for entity in sorted(dump.keys() | again.keys()):
            one, other = dump.get(entity, []), again.get(entity, [])
            if one != other:
                pairs = [f"{a['id']}: {shown(a)} became {shown(b)}" for a, b in zip(one, other) if a != b]
                findings.add(f"{entity}: {len(one)} objects, then {len(other)}" + "".join("; " + p for p in pairs[:1]))

    if exports:
        mapped = MappedPart(model)
        for entity, payload in kind.payloads(document):
            mapped.take_all(entity, payload)
        for contradiction in mapped.contradictions[:MAXIMUM_SHOWN]:
            print(f"note: the document contradicts itself; the last value counts: {contradiction}")
        comparison = ExportComparison(mapped, findings)
        for entity, exported in exports:
            before = comparison.values
            comparison.compare_file(entity, exported)
            print(f"{comparison.values - before:6} values of the export of {entity} compared with the document")

    for message in findings.messages[:MAXIMUM_SHOWN]:
        print(f"difference: {message}", file=sys.stderr)
    if len(findings.messages) > MAXIMUM_SHOWN:
        print(f"... and {len(findings.messages) - MAXIMUM_SHOWN} more", file=sys.stderr)
    name = os.path.basename(arguments.document)
    if findings.messages:
        print(f"{name}: {len(findings.messages)} differences", file=sys.stderr)
        return 1
    print(f"{name}: {'as expected' if dump is not None or exports else 'counted, but not compared'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
