#!/usr/bin/env python3
"""Checks the JSON Schema of model files with Python's jsonschema, which is independent of Graft.

    check.py --graft .build/debug/graft

1. The schema is a valid JSON Schema (2020-12), and every model in the repository names it and conforms to it.
2. The faults in faults.py: the linter refuses each fault with the listed code. The schema accepts the faults that have an
   explanation, and refuses the others.
3. Mutations: each part of each model is replaced, removed, renamed or added to. The linter refuses what the schema
   refuses, and the schema refuses what the linter refuses because of its shape.
4. The snippets that editors insert have no errors once their fields are filled in.

Exit status: 0 if all is as expected, 1 for differences (listed on stderr), 2 for wrong usage.
"""

import argparse
import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import jsonschema
from faults import FAULTS

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
MODELS = os.path.join(ROOT, "Models")

# The linter's codes for errors in the shape of a model file.
SHAPE = {
    "unknown-key",
    "missing-key",
    "conflicting-keys",
    "wrong-type",
    "unknown-word",
    "bad-class-name",
    "malformed-key-path",
    "alias-without-key-path",
    "unfit-validation",
    "unfit-value",
    "unfit-transformer",
    "empty-enum",
    "empty-mapper",
    "bad-name",
    "to-many-only",
    "orphans-without-inverse",
}

# Values that replace a part of a model.
REPLACEMENTS = [
    None, True, False, 0, 5, -1, 1.5, 99999, "", "x", "a..b", "@key", "string", "date", "explicit", "cascade", [], ["x"],
    [5], [None], {}, {"x": 1}, {"x": "string"}, {"type": "integer16"}, {"destination": "x"},
]  # fmt: skip
MUTATIONS_PER_MODEL = 150
SHOWN = 20


class Repeated(Exception):
    """An object contains a key twice."""


def unique(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise Repeated
    return dict(pairs)


def plain(text):
    """JSON without the comments and trailing commas that model files may have. Strings stay as they are."""
    text = outside_strings(r"//[^\n]*|/\*(?s:.*?)\*/", text)
    return outside_strings(r",(?=\s*[}\]])", text)


def outside_strings(expression, text):
    """The text with a space instead of each match that is not in a string."""
    token = re.compile(r'"(?:\\.|[^"\\])*"|' + expression)
    return token.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(plain(file.read()), object_pairs_hook=unique)


def lint(graft, texts):
    """The codes of the errors that the linter finds in each text."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{number}.json" for number in range(len(texts))]
        for name, text in zip(names, texts):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        errors = {name: set() for name in names}
        for start in range(0, len(names), 1000):
            run = subprocess.run(
                [graft, "lint", "--format", "json", *names[start : start + 1000]],
                cwd=folder,
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            if run.returncode not in (0, 1):
                sys.exit(f"graft lint ended with {run.returncode}: {run.stderr}")
            for finding in json.loads(run.stdout):
                if finding["severity"] == "error":
                    errors[finding["file"]].add(finding["code"])
        return [errors[name] for name in names]


def parts(value, path=()):
    """The path of each part of a value, from the outside in."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from parts(part, (*path, key))


def changed(value, path, change):
    """A copy in which `change` was called with the container and the key at a path."""
    copied = {"": copy.deepcopy(value)}
    container, key = copied, ""
    for step in path:
        container, key = container[key], step
    change(container, key)
    return copied[""]


def rename(container, key):
    """Renames a key, which keeps its place."""
    members = [(name + "s" if name == key else name, part) for name, part in container.items()]
    container.clear()
    container.update(members)


def mutations(model):
    for path in parts(model):
        for replacement in REPLACEMENTS:
            yield changed(model, path, lambda container, key: container.__setitem__(key, copy.deepcopy(replacement)))
        if path:
            yield changed(model, path, lambda container, key: container.pop(key))
            if isinstance(path[-1], str):
                yield changed(model, path, rename)
        part = model
        for step in path:
            part = part[step]
        if isinstance(part, dict):
            for key, added in [("unknown", 1), ("doc", "x"), ("doc", 5), ("optional", True), ("JSONKeyPath", "x")]:
                yield changed(model, path, lambda container, name: container[name].__setitem__(key, added))


def snippets(schema):
    """Each list of snippets, with a function that makes a model of a snippet's body."""
    def model(entity):
        return {"entities": {"Entity": entity}}

    levels = schema["$defs"]
    for snippet in schema["defaultSnippets"]:
        yield snippet, lambda body: body
    for snippet in schema["properties"]["entities"]["defaultSnippets"]:
        yield snippet, lambda body: {"entities": body}
    for snippet in levels["entity"]["defaultSnippets"]:
        yield snippet, model
    for key in ["attributes", "relationships"]:
        for snippet in levels["entity"]["properties"][key]["defaultSnippets"]:
            yield snippet, lambda body, key=key: model({key: body})
    for snippet in levels["mapper"]["defaultSnippets"]:
        yield snippet, lambda body: model({"entityMapper": body})
    for snippet in levels["attribute"]["defaultSnippets"]:
        yield snippet, lambda body: model({"attributes": {"name": body}})
    for snippet in levels["relationship"]["defaultSnippets"]:
        yield snippet, lambda body: model({"relationships": {"name": body}})
    for snippet in levels["attribute"]["properties"]["JSONTransformerName"]["defaultSnippets"]:
        yield snippet, lambda body: model({"attributes": {"name": {"type": "date", "JSONTransformerName": body}}})


def inserted(snippet):
    """The value that an editor inserts, with the proposed text in each field."""
    text = snippet["bodyText"] if "bodyText" in snippet else json.dumps(snippet["body"])
    text = re.sub(r'"\^(\$\{[^}]*\})"', r"\1", text)
    text = re.sub(r"\$\{[0-9]+:([^}]*)\}", r"\1", text)
    return json.loads(text.replace("\\$", "$"), object_pairs_hook=unique)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--graft", required=True, help="the program")
    arguments.add_argument("--all-mutations", action="store_true", help="try all mutations, not a sample of each model")
    options = arguments.parse_args()
    graft = os.path.abspath(options.graft)
    differences = []

    # 1. The schema, and the models.
    printed = subprocess.run([graft, "schema"], capture_output=True, encoding="utf-8", check=True).stdout
    schema = json.loads(printed, object_pairs_hook=unique)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    with open(os.path.join(MODELS, "model.schema.json"), encoding="utf-8") as file:
        if file.read() != printed:
            differences.append("Models/model.schema.json is not what 'graft schema' prints")
    names = [name for name in sorted(os.listdir(MODELS)) if name.endswith(".json")]
    paths = [os.path.join(MODELS, name) for name in names if not name.endswith(".schema.json")]
    models = {}
    for path in paths:
        model = models[os.path.relpath(path, ROOT)] = read(path)
        if model.get("$schema") != "./model.schema.json":
            differences.append(f"{os.path.relpath(path, ROOT)} does not name the schema")
    with open(os.path.join(ROOT, "Tests", "Support", "EveryWord.swift"), encoding="utf-8") as file:
        text = re.search(r'#"""\n(.*)\n *"""#', file.read(), re.DOTALL)[1]
        models["the model with every word"] = json.loads(plain(text), object_pairs_hook=unique)
    for name, model in models.items():
        for error in validator.iter_errors(model):
            differences.append(f"{name}: {error.json_path}: {error.message}")
    print(f"{len(models)} models fit the schema")

    # 2. The faults.
    for (code, text, why), codes in zip(FAULTS, lint(graft, [text for _, text, _ in FAULTS])):
        shown = text if len(text) < 200 else text[:200] + "…"
        try:
            is_valid = validator.is_valid(json.loads(text, object_pairs_hook=unique))
        except (json.JSONDecodeError, Repeated):
            is_valid = True
        if code not in codes:
            differences.append(f"{shown}: the linter finds {sorted(codes)} instead of {code}")
        if is_valid and why is None:
            differences.append(f"{shown}: the schema accepts it, the linter finds {code}")
        if not is_valid and why is not None:
            differences.append(f"{shown}: the schema refuses it, although faults.py says that it cannot: {why}")
    print(f"{len(FAULTS)} faults, {sum(why is not None for _, _, why in FAULTS)} of them only for the linter")

    # 3. The mutations.
    generator = random.Random(7)
    mutants = []
    for name, model in models.items():
        own = [(name, mutant) for mutant in mutations(model)]
        mutants += own if options.all_mutations else generator.sample(own, min(len(own), MUTATIONS_PER_MODEL))
    refused = 0
    for (name, mutant), codes in zip(mutants, lint(graft, [json.dumps(mutant) for _, mutant in mutants])):
        error = next(validator.iter_errors(mutant), None)
        refused += error is not None
        if error is not None and not codes:
            differences.append(f"a mutation of {name}: only the schema refuses it: {error.json_path}: {error.message}")
        if error is None and codes & SHAPE:
            differences.append(f"a mutation of {name}: the schema accepts it, the linter finds {sorted(codes & SHAPE)}: {json.dumps(mutant)}")
    print(f"{len(mutants)} mutations, the schema refuses {refused} of them")

    # 4. The snippets.
    # A proposed name does not exist in the model around it.
    names = {"unknown-entity", "unknown-inverse", "inverse-does-not-point-back", "abstract-mapper-target"}
    examples = [(snippet["label"], wrap(inserted(snippet))) for snippet, wrap in snippets(schema)]
    for (label, example), codes in zip(examples, lint(graft, [json.dumps(example) for _, example in examples])):
        for error in validator.iter_errors(example):
            differences.append(f"snippet '{label}': {error.json_path}: {error.message}")
        if codes - names:
            differences.append(f"snippet '{label}': the linter finds {sorted(codes - names)}")
    print(f"{len(examples)} snippets")

    for difference in differences[:SHOWN]:
        print(difference, file=sys.stderr)
    if len(differences) > SHOWN:
        print(f"... and {len(differences) - SHOWN} more", file=sys.stderr)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
