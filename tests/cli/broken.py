"""Every broken spec gives exactly its one message and exit status 2, and does not keep a good spec from being decided.

broken.py BINARY: the files of broken/ against broken/expected.txt (name, verdict of the JSON Schema, message), then
specs too large, too strange or too nested to keep as files. broken.py BINARY --update rewrites the messages.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BROKEN = os.path.join(HERE, "broken")
EXPECTED = os.path.join(BROKEN, "expected.txt")
GOOD = os.path.join(HERE, "..", "..", "specs", "gallery", "warner.json")
MEMORY = 2 << 30


def run(binary, arguments, **options):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    return subprocess.run([binary, *arguments], capture_output=True, timeout=60, preexec_fn=limit, **options)


def message_of(binary, path, folder, most=1):
    """The first line on standard error without the folder; None if anything else happened, as more than `most` lines."""
    result = run(binary, ["verify", path, GOOD])
    lines = result.stderr.decode("utf-8", "replace").splitlines()
    decided = "\u2713 ldp <= log(3): holds" in result.stdout.decode("utf-8", "replace")
    if result.returncode != 2 or not 1 <= len(lines) <= most or not all(line.startswith("error: ") for line in lines) or not decided:
        return f"status {result.returncode}, decided the good one: {decided}, standard error: {lines[:3]}"
    return lines[0][len("error: "):].replace(folder + os.sep, "")


def kept_files(binary, update):
    failures = 0
    with open(EXPECTED, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    names = sorted(f for f in os.listdir(BROKEN) if f.endswith(".json"))
    known = {name: (schema, message) for name, schema, message in rows}
    found = {name: message_of(binary, os.path.join(BROKEN, name), BROKEN) for name in names}
    if update:
        with open(EXPECTED, "w", encoding="utf-8") as file:
            for name in names:
                file.write("\t".join([name, known.get(name, ("?", ""))[0], found[name]]) + "\n")
        return 0, len(names)
    for name in sorted(set(names) | set(known)):
        if known.get(name, ("", ""))[1] != found.get(name):
            failures += 1
            print(f"{name}: expected {known.get(name, ('', None))[1]!r}\n  found {found.get(name)!r}")
    return failures, len(names)


def generated(folder):
    """(file name, function that makes it, a part of the message)."""
    def text(content):
        def make(path):
            with open(path, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        return make

    def unreadable(path):
        text("{}")(path)
        os.chmod(path, 0)

    spec = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": 2}],
            "mechanism": {"type": "matrix", "outputs": 1, "rows": [["1"], ["1"]]}}
    dumped = json.dumps(spec)
    long_chain = dict(spec, parameters={f"p{k}": f"p{k + 1}" for k in range(100_000)} | {"p100000": "1"})
    cases = [
        ("nested-arrays.json", text("[" * 100_000), "nested deeper than the limit of 200"),
        ("nested-objects.json", text('{"a":' * 100_000), "nested deeper than the limit of 200"),
        ("nested-mechanisms.json", text(dumped[:-1] + ', "prior": ' +
                                        '{"type": "mixture", "weights": [1], "components": [' * 500 + "]}" * 500 + "}"),
         "nested deeper than the limit of 200"),
        ("long-string.json", text(json.dumps(dict(spec, name=7, description="x" * 10_000_000))), "found a number"),
        ("long-expression.json", text(dumped.replace('["1"]', '["' + "1" * 10_000_000 + '"]', 1)), "passes the limit"),
        ("long-key.json", text(json.dumps(spec | {"k" * 10_000_000: 1})), "unknown key 'kkk"),
        ("long-sum.json", text(dumped.replace('["1"]', '["' + "0+" * 1_000_000 + '2"]', 1)), "sums to 2, not 1"),
        ("power-tower.json", text(dumped.replace('["1"]', '["((9^9999)^9999)^9999"]', 1)), "passes the limit"),
        ("parameter-chain.json", text(json.dumps(long_chain)), "more than 200 steps"),
        ("nul-byte.json", text(dumped.replace('"s"', '"s\0"')), "control character"),
        ("nul-escape.json", text(dumped.replace('"x"', '"x\\u0000"', 1).replace('"1"', '"1\\u0000"', 1)), "unexpected byte 0"),
        ("invalid-utf8.json", text(dumped.encode().replace(b'"s"', b'"\xff\xfe"')), "invalid string"),
        ("utf16.json", text(dumped.encode("utf-16")), "this is not JSON"),
        ("binary.json", text(bytes(range(256)) * 100), "this is not JSON"),
        ("only-nul.json", text(b"\0" * 1000), "this is not JSON"),
        ("many-cells.json", text(json.dumps(dict(spec, domain=[{"name": "x", "size": 10_000_000}],
                                                 mechanism=dict(spec["mechanism"], outputs=1000)))), "--max-cells"),
        ("huge-mixture.json", text(json.dumps(dict(
            spec, domain=[{"name": "x", "size": 1000}], mechanism={"type": "mixture", "weights": [1], "mechanisms": [
                {"type": "repeat", "times": 3, "mechanism": {"type": "k_randomized_response", "epsilon": 1}}]}))), "--max-cells"),
        ("many-repeats.json", text(json.dumps(dict(spec, mechanism={
            "type": "repeat", "times": 10000, "mechanism": {"type": "repeat", "times": 10000, "mechanism": spec["mechanism"]}}))),
         "independent parts"),
        ("directory.json", os.mkdir, "there is no *.json file"),
        ("no-such-file.json", lambda path: None, "No such file or directory"),
        ("device.json", lambda path: os.symlink("/dev/zero", path), "not a regular file"),
        ("loop.json", lambda path: os.symlink(path, path), "symbolic links"),
    ]
    if os.geteuid() != 0:
        cases.append(("unreadable.json", unreadable, "Permission denied"))
    for name, make, part in cases:
        path = os.path.join(folder, name)
        make(path)
        yield path, part


def as_other_user(binary):
    """Root reads everything, so an unreadable file needs another user. Returns the message, or None without another
    user."""
    if os.geteuid() != 0:
        return "Permission denied"
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "secret.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write("{}")
        os.chmod(path, 0)
        copy = shutil.copy(binary, folder)
        os.chmod(copy, 0o755)
        result = subprocess.run([copy, "verify", path], capture_output=True, timeout=60, user=65534, group=65534)
        return result.stderr.decode() if result.returncode == 2 else f"status {result.returncode}"


def main():
    binary = os.path.abspath(sys.argv[1])
    failures, count = kept_files(binary, "--update" in sys.argv)
    with tempfile.TemporaryDirectory() as folder:
        for path, part in generated(folder):
            count += 1
            message = message_of(binary, path, folder, most=10)
            if part not in message or len(message) > 700 or message.startswith("status"):
                failures += 1
                print(f"{os.path.basename(path)}: expected {part!r}, found {message[:400]!r}")
    count += 1
    if "Permission denied" not in as_other_user(binary):
        failures += 1
        print("an unreadable file:", as_other_user(binary))
    print(f"{count - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
