"""Makes mutants of the engine and the stores, and counts how many the tests find. See run."""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import queue
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from mutations import choose, find, rank

FOLDERS = ["Sources/Graft/Import", "Sources/Graft/Rows", "Sources/Graft/Graph", "Sources/Graft/Export", "Sources/GraftSQL",
           "Sources/GraftSQLite"]
# It checks the graph, and only tests call it.
NOT_MUTATED = {"Sources/Graft/Graph/Context/ManagedObjectContext+Invariants.swift"}
MODULES = ["Graft", "GraftSQL", "GraftSQLite"]
TESTS = ["GraftTests", "StoreTests", "LawTests", "InnerTests", "SQLiteTests", "PublicTests"]
# These suites measure time, so they can fail on a busy machine.
NOT_USED = r"Proportion|Cost|Performance"
# For each pass: the longest suite in seconds, and the most seconds that the suites of one run take together. All mutants are first
# tried on short suites.
PASSES = [(20, [4, 15]), (45, [30, 60]), (900, [120, 1e9])]

parser = argparse.ArgumentParser(prog="Tests/Mutants/run")
parser.add_argument("root")
parser.add_argument("--count", type=int, default=420)
parser.add_argument("--seed", default="graft")
parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
parser.add_argument("--only", default="", help="a regular expression for the files whose mutants are tried")
parser.add_argument("--list", action="store_true")
options = parser.parse_args()
root = pathlib.Path(options.root)
work = root / ".build/mutants"
package = work / "package"
began = time.time()


def say(*words):
    print(f"[{(time.time() - began) / 60:5.1f} min]", *words, flush=True)


def stored(name, default):
    path = work / name
    return json.loads(path.read_text()) if path.exists() else default


def store(name, value):
    work.mkdir(parents=True, exist_ok=True)
    (work / (name + ".new")).write_text(json.dumps(value, indent=1, sort_keys=True))
    os.replace(work / (name + ".new"), work / name)


def write(path, text):
    """Writes a file only if its text differs, so that little is rebuilt."""
    if not path.exists() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


# The mutants.

by_file = {}
for folder in FOLDERS:
    for path in sorted((root / folder).rglob("*.swift")):
        name = str(path.relative_to(root))
        if name not in NOT_MUTATED:
            by_file[name] = find(name, path.read_text())
mutants = choose(by_file, options.count, options.seed)
seen = collections.Counter()
for number, mutant in enumerate(sorted(mutants, key=lambda mutant: (mutant.file, mutant.line)), 1):
    mutant.number = number
    key = f"{mutant.file}\n{mutant.kind}: {mutant.text}"
    seen[key] += 1
    mutant.key = key + (f"\n{seen[key]}" if seen[key] > 1 else "")
    mutant.listed = (mutant.file, f"{mutant.kind}: {mutant.text}")
if options.list:
    for mutant in sorted(mutants, key=lambda mutant: mutant.number):
        print(mutant.number, mutant)
    sys.exit()

# The list of equivalent mutants: a line with the file, then for each mutant an indented line, and the reason with twice the indent.
equivalent, file, entry = {}, "", None
for line in (root / "Tests/Mutants/equivalent.txt").read_text().splitlines():
    if not line.strip() or line.startswith("#"):
        continue
    if not line.startswith(" "):
        file = line.strip()
    elif not line.startswith("    "):
        entry = (file, line.strip())
        equivalent[entry] = ""
    else:
        equivalent[entry] += line.strip() + " "

# The copy.


def copy(dropped):
    wanted = {"Package.swift", "Sources", "Tests", "Models", "Examples", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md",
              "CHANGELOG.md", "SECURITY.md", "LICENSE", ".ci"}
    edits = collections.defaultdict(list)
    for mutant in mutants:
        if mutant.key not in dropped:
            edits[mutant.file].append(mutant)
    written = set()
    for name in sorted(wanted):
        paths = [root / name] if (root / name).is_file() else (root / name).rglob("*")
        for path in paths:
            if not path.is_file() or ".build" in path.parts[len(root.parts):]:
                continue
            name, text = str(path.relative_to(root)), path.read_bytes()
            if name in edits:
                lines = text.decode().split("\n")
                for mutant in edits[name]:
                    lines[mutant.line - 1] = mutant.code.replace("NUMBER", str(mutant.number))
                text = "\n".join(lines).encode()
            if name == "Package.swift":
                kept = ", ".join(f'"{test}"' for test in TESTS)
                text += f"""
let triedTests: Set = [{kept}]
package.targets.removeAll {{ $0.type == .test && !triedTests.contains($0.name) || $0.path?.hasPrefix("Examples/") == true }}
package.targets.removeAll {{ ["graft-bench", "GraftCosts", "GraftCrashes"].contains($0.name) }}
""".encode()
            write(package / name, text)
            written.add(package / name)
    switch = (root / "Tests/Mutants/Switch.swift.txt").read_bytes()
    for module in MODULES:
        path = package / f"Sources/{module}/MutantSwitch.swift"
        write(path, switch)
        written.add(path)
    for folder in ("Sources", "Tests"):
        for path in (package / folder).rglob("*"):
            if path.is_file() and path not in written:
                path.unlink()


def build(*arguments):
    """Locations of errors: pairs of a file and a line."""
    with open(work / "build.log", "a") as log:
        process = subprocess.Popen(
            ["nice", "swift", "build", "--package-path", str(package), "-Xswiftc", "-continue-building-after-errors", "-Xswiftc", "-gnone", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        errors, last = set(), []
        for line in process.stdout:
            log.write(line)
            last = last[-30:] + [line]
            if match := re.match(r"(/.*?\.swift):(\d+):\d+: error:", line):
                errors.add((os.path.relpath(match.group(1), package), int(match.group(2))))
        if process.wait() == 0:
            return set()
        if not errors:
            sys.exit("the build fails:\n" + "".join(last))
        return errors


dropped = set(stored("dropped.json", []))
for arguments in (["--target", "GraftSQLite"], ["--build-tests"]):
    while True:
        copy(dropped)
        say("building", *arguments)
        errors = build(*arguments)
        if not errors:
            break
        failed = set()
        for file, line in errors:
            near = [mutant for mutant in mutants if mutant.file == file and mutant.key not in dropped]
            exact = [mutant for mutant in near if mutant.line == line]
            # Some errors, such as a missing return, are reported at the end of the function.
            before = [mutant for mutant in near if mutant.line < line][-1:]
            if not near:
                print(f"an error in a line without a mutant: {file}:{line}")
            failed.update(mutant.key for mutant in exact or before)
        if not failed:
            sys.exit("the build fails without a mutant: see .build/mutants/build.log")
        say(f"{len(failed)} mutants do not compile")
        dropped |= failed
        store("dropped.json", sorted(dropped))
mutants = sorted((mutant for mutant in mutants if mutant.key not in dropped), key=lambda mutant: mutant.number)
say(f"{len(mutants)} mutants in {len({mutant.file for mutant in mutants})} files compile, {len(dropped)} do not")

# The suites, and which mutants each of them reaches.

location = subprocess.run(["swift", "build", "--package-path", str(package), "--show-bin-path"], capture_output=True, text=True,
                          check=True).stdout.strip()
binary = next(path for path in (f"{location}/GraftPackageTests.xctest/Contents/MacOS/GraftPackageTests",
                                f"{location}/GraftPackageTests.xctest") if os.path.isfile(path))
size = max(mutant.number for mutant in mutants) + 1
environment = {name: value for name, value in os.environ.items() if not name.startswith("GRAFT_LAW_SEED")}
environment["SWIFT_BACKTRACE"] = "enable=no"


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(suites, seconds, number=0, reach=None):
    """The result of the suites with a mutant: 'passed', or the reason why they failed."""
    extra = {"GRAFT_MUTANT": str(number)}
    if reach:
        extra["GRAFT_MUTANTS_REACHED"] = reach
    folder = work / "temporary" / f"{os.getpid()}-{threading.get_ident()}"
    folder.mkdir(parents=True, exist_ok=True)
    extra["TMPDIR"] = str(folder)
    arguments = [binary, "--testing-library", "swift-testing"]
    for suite in suites:
        arguments += ["--filter", "^" + re.escape(suite).replace("`", ".") + "/"]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=package,
                               env=environment | extra, start_new_session=True, preexec_fn=limit)
    outcome = []

    def end(reason):
        outcome.append(reason)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    timer = threading.Timer(seconds, end, ["no end"])
    timer.start()
    ran = False
    for line in process.stdout:
        line = line.decode(errors="replace")
        if "recorded an issue" in line and not outcome:
            match = re.search(r"Test (.*?) recorded an issue.*? at (\w[\w+]*\.swift:\d+)", line)
            end(f"{match.group(2)} {match.group(1)}"[:200] if match else line.strip()[:200])
        ran = ran or re.search(r"Test run with [1-9]", line) is not None
    status = process.wait()
    timer.cancel()
    shutil.rmtree(folder, ignore_errors=True)
    if outcome:
        return outcome[0]
    if status:
        return f"ended by signal {-status}" if status < 0 else f"ended with status {status}"
    return "passed" if ran else "no tests"


def parallel(tasks, work_on):
    pending = queue.Queue()
    for task in tasks:
        pending.put(task)

    def loop():
        while True:
            try:
                task = pending.get_nowait()
            except queue.Empty:
                return
            work_on(task)

    threads = [threading.Thread(target=loop) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


listed = subprocess.run([binary, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True, cwd=package,
                        env=environment).stdout
suites = sorted({line.split("/")[0] for line in listed.splitlines() if re.match(r"\w+\..*/", line)
                 and not re.search(NOT_USED, line.split("/")[0])})
say(f"{len(suites)} suites")

# A suite is run again if the mutants, or files that mention it, have changed.
declared = collections.defaultdict(str)
for path in sorted((package / "Tests").rglob("*.swift")):
    text = path.read_text()
    for name in sorted(set(re.findall(r"\b(?:struct|class|enum|extension|actor) `?(\w+)", text))):
        declared[name] += text
sources = hashlib.sha256("".join((package / mutant.file).read_text() for mutant in mutants).encode()).hexdigest()


def fingerprint(suite):
    return hashlib.sha256((sources + declared[suite.split(".")[-1].strip("`")]).encode()).hexdigest()


baseline = stored("baseline.json", {})
lock = threading.Lock()


def measure(suite, longest):
    path = str(work / f"reached-{threading.get_ident()}")
    with open(path, "wb") as file:
        file.write(bytes(size))
    start = time.time()
    outcome = run([suite], longest, reach=path)
    with open(path, "rb") as file:
        reached = [number for number, value in enumerate(file.read()) if value]
    os.unlink(path)
    with lock:
        baseline[suite] = {"fingerprint": fingerprint(suite), "outcome": outcome, "seconds": round(time.time() - start, 2),
                           "reached": reached}
        store("baseline.json", baseline)
        if outcome not in ("passed", "no end"):
            say(f"not used: {suite}: {outcome}")


def measure_all(longest):
    """The suites that reach each mutant."""
    def is_known(suite):
        known = baseline.get(suite, {})
        return known.get("fingerprint") == fingerprint(suite) and (known["outcome"] != "no end" or known["seconds"] > longest)

    parallel([suite for suite in suites if not is_known(suite)], lambda suite: measure(suite, longest))
    usable = [suite for suite in suites if baseline[suite]["outcome"] == "passed" and baseline[suite]["seconds"] < longest]
    say(f"{len(usable)} suites of {len(suites)} pass without a mutant in less than {longest} s, in "
        f"{sum(baseline[suite]['seconds'] for suite in usable):.0f} s in all")
    reaching = collections.defaultdict(list)
    for suite in usable:
        for number in baseline[suite]["reached"]:
            reaching[number].append(suite)
    return reaching


# Each mutant is tried on the suites that reach it.

results = stored("results.json", {})
progress = collections.Counter()


def attempt(mutant, budgets):
    tried = results.get(mutant.key, {}).get("passed", {})
    suites = [suite for suite in reaching[mutant.number] if tried.get(suite) != fingerprint(suite)]
    # A suite that reaches few mutants tests them more closely.
    suites.sort(key=lambda suite: baseline[suite]["seconds"] * (20 + len(baseline[suite]["reached"])))
    killed, passed = None, dict(tried)
    for budget in budgets:
        part, total = [], 0
        while suites and (not part or total + baseline[suites[0]]["seconds"] <= budget):
            part.append(suites.pop(0))
            total += baseline[part[-1]]["seconds"]
        if not part:
            break
        outcome = run(part, 30 + 5 * total, mutant.number)
        if outcome != "passed":
            killed = outcome
            break
        passed.update({suite: fingerprint(suite) for suite in part})
    with lock:
        results[mutant.key] = {"killed": killed, "passed": {} if killed else passed}
        store("results.json", results)
        progress["killed" if killed else "left"] += 1
        if sum(progress.values()) % 25 == 0:
            say(dict(progress))


attempted = [mutant for mutant in mutants if re.search(options.only, mutant.file)]
for longest, budgets in PASSES:
    reaching = measure_all(longest)
    pending = [mutant for mutant in attempted if not results.get(mutant.key, {}).get("killed") and mutant.listed not in equivalent
               and (longest > PASSES[0][0] or mutant.key not in results)]
    say(f"trying {len(pending)} mutants")
    progress.clear()
    # The order is random, so that intermediate figures are like those of all mutants.
    parallel(sorted(pending, key=lambda mutant: rank(options.seed, mutant.key)), lambda mutant: attempt(mutant, budgets))
shutil.rmtree(work / "temporary", ignore_errors=True)

# The figures.

killed = [mutant for mutant in attempted if results.get(mutant.key, {}).get("killed")]
alike = [mutant for mutant in attempted if mutant.listed in equivalent and mutant not in killed]
alive = [mutant for mutant in attempted if mutant not in killed and mutant not in alike]
print()
for part in FOLDERS:
    inside = [mutant for mutant in attempted if mutant.file.startswith(part + "/")]
    if inside:
        print(f"{part:22} {len(inside):4} mutants, {sum(mutant in killed for mutant in inside):4} killed, "
              f"{sum(mutant in alike for mutant in inside):3} equivalent, {sum(mutant in alive for mutant in inside):3} survive")
for kind in sorted({mutant.kind.split()[0] for mutant in attempted}):
    inside = [mutant for mutant in attempted if mutant.kind.split()[0] == kind]
    print(f"{kind:22} {len(inside):4} mutants, {sum(mutant in killed for mutant in inside):4} killed, "
          f"{sum(mutant in alike for mutant in inside):3} equivalent, {sum(mutant in alive for mutant in inside):3} survive")
for mutant in alive:
    print(f"survives: {mutant.number} {mutant}" + ("" if reaching[mutant.number] else "   (no suite reaches it)"))
judged = len(killed) + len(alive)
print(f"\n{len(attempted)} mutants: {len(killed)} killed, {len(alike)} equivalent, {len(alive)} survive: "
      f"{100 * len(killed) / max(judged, 1):.1f} % of those that are not equivalent are killed")
for file, text in sorted(set(equivalent) - {mutant.listed for mutant in mutants}):
    print(f"equivalent.txt: there is no such mutant: {file}: {text}")
say("done")
sys.exit(1 if alive else 0)
