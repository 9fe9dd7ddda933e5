"""A scratch copy of the sources with a build folder of its own, where a file can be replaced, built and tested."""

import hashlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time

OPTIONS = ["-DCMAKE_BUILD_TYPE=None", "-DOKRA_BENCH=OFF", "-DOKRA_PYTHON=OFF", "-DOKRA_OCTAVE=OFF"]
# The plain one is quick, and optimised so that the compiler sees through what is the same; a sanitizer sees what passes its ends.
FLAGS = {
    "plain": ["-DCMAKE_C_FLAGS=-O2"],
    "sanitized": ["-DCMAKE_C_FLAGS=-O1", "-DOKRA_INSTRUMENT=-fsanitize=address,undefined;-fno-sanitize-recover=all;-fno-omit-frame-pointer"],
}
PRODUCTS = ["okra-static", "okra-io-static", "okra-lab-static", "okra-program"]


def tracked(root):
    """What git knows of, and what is new and not ignored."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.splitlines() if pathlib.Path(root, name).is_file()]


def digest(root):
    """Of all that decides what comes out."""
    sum = hashlib.sha256()
    for name in tracked(root):
        if name.endswith((".c", ".h", ".py", ".txt", ".cmake")):
            sum.update(name.encode() + pathlib.Path(root, name).read_bytes())
    return sum.hexdigest()[:16]


class Tree:
    def __init__(self, root, place, kind, memory):
        self.root, self.kind = root, kind
        self.source, self.build = pathlib.Path(place, "source"), pathlib.Path(place, kind)
        self.temporary = pathlib.Path(memory, f"okra-mutants-{os.getpid()}-{pathlib.Path(place).name}")
        self.tests, self.objects, self.original = {}, {}, b""

    # ---- sources ------------------------------------------------------------------------------------------------------

    def copy_sources(self):
        """Only what differs, so that an old build folder is of use; a mutant that was left behind differs too."""
        names = tracked(self.root)
        for name in names:
            to, text = self.source / name, pathlib.Path(self.root, name).read_bytes()
            if not to.exists() or to.read_bytes() != text:
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(text)
                shutil.copymode(pathlib.Path(self.root, name), to)
        known = set(names)
        for old in [p for p in self.source.rglob("*") if p.is_file() and p.relative_to(self.source).as_posix() not in known]:
            old.unlink()

    def put(self, mutant):
        path = self.source / mutant.file
        self.original = path.read_bytes()
        lines = path.read_text().split("\n")
        assert lines[mutant.line - 1] == mutant.original
        lines[mutant.line - 1] = mutant.mutated
        path.write_text("\n".join(lines))

    def restore(self, mutant):
        (self.source / mutant.file).write_bytes(self.original)

    def set_up(self):
        """As the sources are, everything built."""
        self.copy_sources()
        self.configure()
        self.run(["cmake", "--build", self.build, "-j", "1"], check=True)
        self.read_tests()
        self.objects = self.sums()

    # ---- building -----------------------------------------------------------------------------------------------------

    def configure(self):
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        self.run(["cmake", "-S", self.source, "-B", self.build, *generator, *launcher, *OPTIONS, *FLAGS[self.kind]], check=True)

    def make(self, targets, jobs=1):
        return self.run(["cmake", "--build", self.build, "-j", str(jobs), "--target", *targets]).returncode == 0

    def run(self, command, check=False):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if check and done.returncode:
            raise SystemExit(f"mutants: {' '.join(map(str, command))}\n{done.stdout[-3000:]}")
        return done

    def sums(self):
        found = {}
        for folder in ("src", "cli"):
            for path in (self.build / folder).rglob("*.o"):
                found[path] = hashlib.sha256(path.read_bytes()).digest()
        return found

    def same_objects(self):
        return self.sums() == self.objects

    # ---- testing ------------------------------------------------------------------------------------------------------

    def read_tests(self):
        listed = self.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"], check=True).stdout
        for test in json.loads(listed[listed.index("{") :])["tests"]:
            if "command" in test:
                self.tests[test["name"]] = test

    def targets_of(self, name):
        """The program that a test runs, or, of a script's, all programs among its arguments."""
        words = [pathlib.Path(w) for word in self.tests[name]["command"] for w in word.replace("'", " ").split()]
        inside = [w for w in words if self.build in w.parents and w.suffix == "" and "models" != w.name]
        made = ["manual"] if name.startswith("manual_") else []
        return made + sorted({"okra-program" if w.name == "okra" else w.name for w in inside})

    def test(self, name, limit):
        """True where it passes or is skipped, False where it fails, None where it takes longer than the limit."""
        test = self.tests[name]
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        self.temporary.mkdir(parents=True, exist_ok=True)
        environment = dict(os.environ, TMPDIR=str(self.temporary), OMP_NUM_THREADS="2", OPENBLAS_NUM_THREADS="1")
        environment["ASAN_OPTIONS"] = "hard_rss_limit_mb=4096"
        environment.update(item.split("=", 1) for item in properties.get("ENVIRONMENT", []))
        child = subprocess.Popen(
            test["command"], cwd=properties.get("WORKING_DIRECTORY", self.build), env=environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=self.limit_child,
        )  # fmt: skip
        try:
            code = child.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
            shutil.rmtree(self.temporary, ignore_errors=True)
        return None if code is None else code in (0, properties.get("SKIP_RETURN_CODE", 0))

    def limit_child(self):
        """Not what a mutant could take from everybody else; and signals as usual, whatever this script was started with."""
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 30, 4 << 30))
        if self.kind == "plain":
            resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))

    def time_test(self, name, limit):
        begin = time.monotonic()
        passed = self.test(name, limit)
        return time.monotonic() - begin if passed else None
