"""Finds places for small faults in Swift sources, line by line. Only lines with simple forms are mutated, each line at most once."""
import hashlib
import re

WORDS = {"return", "let", "var", "if", "guard", "for", "while", "switch", "case", "throw", "defer", "func", "break", "continue",
         "default", "do", "else", "repeat", "fallthrough", "catch", "import", "init", "static", "private", "super", "yield",
         "struct", "enum", "class", "extension", "mutating", "package", "public", "where", "typealias", "lazy", "weak", "in"}
# Code whose effect no test can see: traps, hints, and freeing of memory.
UNSEEN = re.compile(r"precondition|assert|fatalError|reserve|[cC]apacity|free\(|allocate|deinitialize|withExtendedLifetime|self\.init")
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}


class Mutant:
    def __init__(self, file, line, kind, text, code):
        self.file, self.line, self.kind, self.text = file, line, kind, text
        # The new line, with NUMBER in place of the mutant's number.
        self.code = code
        self.number = 0

    def __str__(self):
        return f"{self.file}:{self.line}: {self.kind}: {self.text}"


def masked(text):
    """The text with underscores instead of literals and spaces instead of comments, so that other characters keep their columns."""
    out, index = list(text), 0
    while index < len(text):
        if text.startswith("//", index):
            end = text.find("\n", index)
            end = len(text) if end < 0 else end
            filler = " "
        elif text.startswith("/*", index):
            end = text.find("*/", index) + 2
            filler = " "
        elif match := re.compile(r'(#*)("""|")').match(text, index):
            hashes, quote = match.groups()
            end, depth = match.end(), 0
            while True:
                if text.startswith("\\" + hashes + "(", end):
                    # An interpolation may contain literals, so its end is searched for.
                    end += len(hashes) + 2
                    depth = 1
                    while depth:
                        if text[end] == '"':
                            end = text.index('"', end + 1)
                        depth += {"(": 1, ")": -1}.get(text[end], 0)
                        end += 1
                elif not hashes and text[end] == "\\":
                    end += 2
                elif text.startswith(quote + hashes, end):
                    end += len(quote + hashes)
                    break
                else:
                    end += 1
            filler = "_"
        else:
            index += 1
            continue
        for place in range(index, end):
            if out[place] != "\n":
                out[place] = filler
        index = end
    return "".join(out)


class Lines:
    """The lines of a file. For each: is it in the body of a function, is it in an initializer, and does a statement begin there?"""

    def __init__(self, text):
        mask = masked(text)
        self.raw, self.mask = text.split("\n"), mask.split("\n")
        self.in_body, self.in_init, self.starts, self.ends = [], [], [], []
        stack, header, conditional = [], "", 0
        for line in self.mask:
            bare = line.strip()
            if bare.startswith("#if"):
                conditional += 1
            bodies = []
            for kind, is_init in reversed([entry[1:] for entry in stack if entry[0] == "{"]):
                if kind == "type":
                    break
                bodies.append(is_init)
            self.in_body.append(bool(bodies) and not conditional and "inlinable" not in bodies)
            self.in_init.append(True in bodies)
            self.starts.append((len(stack), not stack or stack[-1][0] == "{"))
            if bare.startswith("#endif"):
                conditional -= 1
            for character in line + "\n":
                if character in "([{":
                    kind, is_init = "body", False
                    if character == "{":
                        words = re.findall(
                            r"\b(?:func|(?<!\.)init|subscript|var|let|struct|class|enum|extension|protocol|actor)\b", header)
                        if words and words[-1] in ("struct", "class", "enum", "extension", "protocol", "actor"):
                            kind = "type"
                        is_init = bool(words) and words[-1] == "init" or ("inlinable" if "@inlinable" in header else False)
                    stack.append((character, kind, is_init))
                    header = "" if character == "{" else header + character
                elif character in ")]}":
                    if stack:
                        stack.pop()
                    header = "" if character == "}" else header + character
                else:
                    header += character
            self.ends.append(len(stack))

    def is_statement(self, index):
        """Is this line exactly one statement?"""
        if not self.in_body[index] or not self.starts[index][1] or self.ends[index] != self.starts[index][0]:
            return False
        bare = self.mask[index].strip()
        before, after = self.neighbor(index, -1), self.neighbor(index, 1)
        if not bare or bare[0] in ".?:&|+-*/)]}=,<>{#@" or bare[-1] in ",([=+-*/?&|<>.:{":
            return False
        if before and before[-1] in ",([=+-*/?&|<.":
            return False
        return not after or after[0] not in ".?:&|+-*/)]=,<>{" and not re.match(r"(as|else|in|is|where)\b", after)

    def is_guarded(self, index):
        """Is this line in the body of a guard, which must end by leaving the scope?"""
        depth = self.starts[index][0]
        while index > 0 and self.starts[index][0] >= depth:
            index -= 1
        bare = self.mask[index].strip()
        return bare.startswith("guard") or "else {" in bare and not bare.startswith("}")

    def neighbor(self, index, step):
        index += step
        while 0 <= index < len(self.mask) and not self.mask[index].strip():
            index += step
        return self.mask[index].strip() if 0 <= index < len(self.mask) else ""


def clauses(mask, begin, end):
    """The ranges between commas that are not in brackets."""
    depth, start, spans = 0, begin, []
    for index in range(begin, end):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(mask[index], 0)
        if mask[index] == "," and depth == 0:
            spans.append((start, index))
            start = index + 1
    spans.append((start, end))
    trimmed = []
    for start, end in spans:
        while start < end and mask[start] == " ":
            start += 1
        while end > start and mask[end - 1] == " ":
            end -= 1
        trimmed.append((start, end))
    return trimmed


def find(file, text):
    """Every mutant of a file."""
    lines, found = Lines(text), []
    for index, (raw, mask) in enumerate(zip(lines.raw, lines.mask)):
        bare = mask.strip()
        if not lines.in_body[index] or not lines.starts[index][1] or not bare or UNSEEN.search(mask) or bare[0] in "@#":
            continue

        def add(kind, code):
            found.append(Mutant(file, index + 1, kind, raw.strip(), code))

        def replaced(begin, end, new):
            return raw[:begin] + new + raw[end:]

        def expression(begin, end):
            """Mutants of operators: the expression is written twice, once with a different operator."""
            part, part_mask = raw[begin:end], mask[begin:end]
            if "{" in part_mask or "[" == part_mask[:1] or ": " in part_mask and "?" not in part_mask and "(" not in part_mask:
                return
            for match in re.finditer(r" (<=|>=|<|>|==|!=|&&|\|\|) ", part_mask):
                old = match.group(1)
                if old in ("==", "!=") and (begin, end) == whole and not re.search(r"&&|\|\|", part_mask):
                    continue
                new = COMPARISONS.get(old) or {"&&": "||", "||": "&&"}[old]
                other = part[:match.start(1)] + new + part[match.end(1):]
                kind = "logic" if old in ("&&", "||") else "comparison"
                add(f"{kind} {old} to {new}", replaced(begin, end, f"(isMutant(NUMBER) ? ({other}) : ({part}))"))

        whole = None
        condition = re.match(r"\s*(?:\} else )?(if|while|guard) ", mask)
        if condition:
            word, begin = condition.group(1), condition.end()
            depth, end = 0, None
            for place in range(begin, len(mask)):
                if mask[place] == "{" and depth == 0:
                    end = place
                    break
                depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(mask[place], 0)
            if end is None:
                continue
            if word == "guard":
                if not mask[:end].endswith(" else "):
                    continue
                end -= len(" else ")
            else:
                end -= 1
            body = mask[mask.index("{", end) + 1:].strip() or lines.neighbor(index, 1)
            for start, stop in clauses(mask, begin, end):
                if re.match(r"(let|var|case|#|true\b)", mask[start:stop]) or "{" in mask[start:stop] or start == stop:
                    continue
                whole = (start, stop)
                add("condition negated", replaced(start, stop, f"isMutant(NUMBER) != ({raw[start:stop]})"))
                expression(start, stop)
            if word == "if" and mask[begin:end].strip() and "else" not in mask[end:]:
                if re.match(r"(return|throw|continue|break)\b", body):
                    add("exit removed", replaced(end, end, ", !isMutant(NUMBER)"))
                elif mask.rstrip().endswith("}") and not mask.strip().startswith("}"):
                    add("statement removed", replaced(end, end, ", !isMutant(NUMBER)"))
        elif lines.is_statement(index):
            first = re.match(r"[A-Za-z_$][\w$]*|", bare).group(0)
            begin, end = len(mask) - len(mask.lstrip()), len(mask.rstrip())
            value = re.match(r"\s*(?:return|(?:let|var) \w+(?:: [\w.?\[\]]+)? =|[\w.\[\]$]+ =) (?=\S)", mask)
            if value and "{" not in mask:
                expression(value.end(), end)
            elif "{" not in mask and first not in WORDS and lines.neighbor(index, -1).endswith("{") and " = " not in mask:
                expression(begin, end)
            assignment = re.match(r"\s*([A-Za-z_][\w.$?!]*(?:\[[^\[\]]*\])?[\w.$?!]*) (?:=|[+\-|&*]&?=|&[+\-]=) ", mask)
            plain = assignment and re.fullmatch(r"\w+", assignment.group(1)) and re.search(
                rf"\b(let|var) {assignment.group(1)}: [^=\n{{]*$", "\n".join(lines.mask), re.M)
            if first not in WORDS and "{" not in mask and not lines.in_init[index]:
                call = re.match(r"\s*(?:try )?[A-Za-z_][\w.$?!]*(?:\[[^\[\]]*\])?[\w.$?!]*\(", mask) and bare.endswith(")")
                alone = lines.neighbor(index, -1).endswith("{") and lines.neighbor(index, 1).startswith("}")
                if assignment and first != "_" and not plain or call and " = " not in mask and not re.search(
                        r" (==|<|>|\?|&&|\|\||\+) ", mask) and not (alone and is_value(lines, index)):
                    add("statement removed", replaced(begin, end, f"if !isMutant(NUMBER) {{ {raw[begin:end]} }}"))
            elif bare in ("return", "continue") and lines.neighbor(index, 1).startswith("}") and not lines.is_guarded(index):
                add("exit removed", replaced(begin, end, f"if !isMutant(NUMBER) {{ {bare} }}"))
        if re.match(r"\s*(case|default|func|enum|struct|static|private|package|init)\b", mask):
            continue
        for match in re.finditer(r"(?<![\w.$#])(\d+)(?![\w.])", mask):
            old = int(match.group(1))
            add(f"constant {old} to {old + 1}",
                replaced(match.start(), match.end(), f"(isMutant(NUMBER) ? {old + 1} : {old})"))
        for match in re.finditer(r"(?<![\w.])(true|false)\b(?!:)", mask):
            if "while true" in mask or "if true" in mask:
                continue
            old = match.group(1)
            add(f"constant {old} negated", replaced(
                match.start(), match.end(), "!isMutant(NUMBER)" if old == "true" else "isMutant(NUMBER)"))
    return found


def is_value(lines, index):
    """Does the line give the value of a function? Then the brace before it follows a result type."""
    while index > 0 and not lines.mask[index].strip().endswith("{"):
        index -= 1
    header = lines.mask[index]
    return "->" in header or re.search(r"\bvar\b|\bget\b|\bin$|= .*\{$|\([^()]*\{$|\.\w+ \{$", header) is not None


def rank(seed, *parts):
    return hashlib.sha256("|".join([seed, *map(str, parts)]).encode()).hexdigest()


def choose(by_file, count, seed):
    """Chooses `count` mutants. Each file gets a proportional number, and so does each kind of mutant in the file. Which mutants of a
    file are chosen depends only on its text."""
    total = sum(len({mutant.line for mutant in mutants}) for mutants in by_file.values())
    chosen = []
    for file, mutants in sorted(by_file.items()):
        share = len({mutant.line for mutant in mutants}) * count / max(total, 1)
        # The number is rounded up at random, with the fraction as the probability.
        quota = int(share) + (int(rank(seed, file)[:8], 16) / 2**32 < share % 1)
        groups = {}
        for place, mutant in enumerate(mutants):
            groups.setdefault(mutant.kind.split()[0], []).append(
                (rank(seed, file, mutant.kind, mutant.text, sum(m.text == mutant.text and m.kind == mutant.kind
                                                                  for m in mutants[:place])), mutant))
        for group in groups.values():
            group.sort(key=lambda entry: entry[0], reverse=True)
        order, used = sorted(groups, key=lambda kind: rank(seed, file, kind)), set()
        while quota > 0 and any(groups.values()):
            for kind in order:
                while groups[kind]:
                    mutant = groups[kind].pop()[1]
                    if mutant.line not in used:
                        used.add(mutant.line)
                        chosen.append(mutant)
                        quota -= 1
                        break
                if quota == 0:
                    break
    return chosen
