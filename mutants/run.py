#!/usr/bin/env python3
"""Applies hand-made faults to a copy of the project, one at a time, and runs the tests that should see them."""
import argparse, os, re, shutil, signal, subprocess, sys, tempfile, time
import xml.etree.ElementTree as xml
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
QUIET = ("-q", "-B", "-Dspotless.check.skip", "-Dcheckstyle.skip")
CHANGED_ONLY = "-Dmaven.compiler.useIncrementalCompilation=false"  # else one changed file makes Maven compile all


class Mutant:
    """One patch with its header."""
    def __init__(self, path):
        self.path, self.name = path, f"{path.parent.name}/{path.stem}"
        header, _, self.diff = path.read_text().partition("\ndiff --git ")
        self.fields = dict(re.findall(r"(?m)^([A-Z][\w-]*): (.+)$", header))
        self.module = self.fields.get("Module", "?")
        self.files = re.findall(r"(?m)^\+\+\+ b/(.+)$", self.diff)

    def tests(self):
        """The test classes with their modules, the quickest first."""
        names = [name.strip() for name in self.fields.get("Seen-by", "").split(",") if name.strip()]
        return [tuple(name.split(":", 1)) if ":" in name else (self.module, name) for name in names]

    def faults(self):
        lines = len(re.findall(r"(?m)^[+-](?!\+\+ |-- )", self.diff))
        found = [f"no field {field}" for field in ("What", "Harm", "Module", "Seen-by") if field not in self.fields]
        found += [] if 1 <= lines <= 6 else [f"{lines} changed lines, at most 6"]
        found += [f"not main code: {file}" for file in self.files if not file.startswith(f"{self.module}/src/main/")]
        return found + [f"no test class {module}:{name}" for module, name in self.tests()
                        if not any((ROOT / module / "src" / "test").rglob(name + ".java"))]


def git(*arguments, cwd=ROOT, **more):
    return subprocess.run(("git", *arguments), cwd=cwd, text=True, capture_output=True, **more)


def check(mutants):
    """Patches are compared with HEAD, whatever the working tree holds."""
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, GIT_INDEX_FILE=str(Path(folder, "index")))
        git("read-tree", "HEAD", env=environment, check=True)
        for mutant in mutants:
            applied = git("apply", "--cached", "--check", str(mutant.path), env=environment)
            faults = mutant.faults() + ([applied.stderr.strip()] if applied.returncode else [])
            bad += bool(faults)
            print("".join(f"{mutant.name}: {fault}\n" for fault in faults), end="")
    print(f"{len(mutants)} mutants, {bad} at fault")
    return int(bad > 0)


def copy_or_link(old, new):
    """Jars of others are linked; what Maven may write to is copied, and what is on another disk."""
    try:
        (os.link if old.endswith((".jar", ".pom")) and "SNAPSHOT" not in old else shutil.copy2)(old, new)
    except OSError:
        shutil.copy2(old, new)


class Copy:
    """A clone at HEAD with a local repository of its own; neither the project nor ~/.m2 is written to."""
    def __init__(self, work, minutes, built, modules):
        self.tree, self.repository, self.minutes = work / "tree", work / "repository", minutes
        self.green, self.installed = {}, False
        if self.tree.exists():
            return None if git("diff", "--quiet", cwd=self.tree).returncode == 0 else sys.exit(f"{work}: interrupted")
        git("clone", "-q", "--shared", str(ROOT), str(self.tree), check=True)
        git("checkout", "-q", "--detach", git("rev-parse", "HEAD").stdout.strip(), cwd=self.tree, check=True)
        config = ROOT / ".mvn" / "maven.config"  # may name another local repository
        named = re.findall(r"-Dmaven\.repo\.local=(\S+)", config.read_text()) if config.exists() else []
        shutil.copytree([*named, Path.home() / ".m2/repository"][0], self.repository, copy_function=copy_or_link)
        if built:
            for file in git("ls-files", "-z", cwd=self.tree).stdout.split("\0")[:-1]:
                os.utime(self.tree / file, (0, 0))
            for target in ROOT.glob("*/target"):
                shutil.copytree(target, self.tree / target.relative_to(ROOT), dirs_exist_ok=True)
        elif self.maven("install", "-DskipTests", "-am", "-pl", ",".join(sorted(modules)), minutes=60)[0] != 0:
            sys.exit("the project does not build without a mutant")

    def maven(self, *arguments, minutes=None):
        """Exit code, None when it took too long, and output."""
        process = subprocess.Popen(("mvn", *QUIET, f"-Dmaven.repo.local={self.repository}", *arguments), cwd=self.tree,
                                   text=True, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output = process.communicate(timeout=60 * (minutes or self.minutes))[0]
            return process.returncode, output
        except BaseException as end:  # whatever ends the wait ends Maven, which has a session of its own
            os.killpg(process.pid, signal.SIGKILL)
            output = process.communicate()[0]
            if not isinstance(end, subprocess.TimeoutExpired):
                raise
            return None, output

    def change(self, mutant, *git_arguments):
        """Sources that name a changed class are compiled again with it: a constant of it may be in theirs."""
        git(*git_arguments, cwd=self.tree, check=True)
        names = "|".join(Path(file).stem for file in mutant.files)
        for source in (self.tree / mutant.module / "src" / "main").rglob("*.java"):
            if re.search(rf"\b({names})\b", source.read_text()):
                os.utime(source)

    def install(self, mutant):  # where other modules find it
        self.maven("install", "-DskipTests", CHANGED_ONLY, "-pl", mutant.module)
        self.installed = not self.installed

    def restore(self, mutant):
        if git("diff", "--quiet", cwd=self.tree).returncode:
            self.change(mutant, "checkout", "-q", ".")
            if self.installed:
                self.install(mutant)

    def run(self, module, names):
        """The tests that failed, and why there is no result."""
        reports = self.tree / module / "target" / "surefire-reports"
        shutil.rmtree(reports, ignore_errors=True)
        chosen = (f"-Dtest={','.join(names)}", "-Dsurefire.failIfNoSpecifiedTests=false") if names else ()
        code, output = self.maven("test", "-pl", module, CHANGED_ONLY, *chosen)
        if code is None or "COMPILATION ERROR" in output:
            return ([f"TIMEOUT after {self.minutes} minutes"], "") if code is None else ([], "does not compile")
        cases = [case for file in reports.glob("TEST-*.xml") for case in xml.parse(file).iter("testcase")]
        failed = [f"{case.get('classname').split('.')[-1]}#{case.get('name') or '(class)'}" for case in cases
                  if case.find("failure") is not None or case.find("error") is not None]
        return failed, "" if failed or (code == 0 and cases) else f"Maven: {output[-300:]}" if code else "no test ran"

    def red_without(self, module, failed, names):
        """Of the classes that failed those that also fail without a mutant; each is asked once."""
        classes = {test.split("#")[0].split("$")[0] for test in failed if "#" in test} or set(names)
        unknown = sorted(name for name in classes if (module, name) not in self.green)
        red, why = self.run(module, unknown) if unknown else ([], "")
        for name in unknown:
            self.green[module, name] = not why and not re.search(rf"TIMEOUT|\b{name}[#$]", str(red))
        return sorted(name for name in classes if not self.green[module, name])


def judge(copy, mutant, all_tests):
    """The outcome, and what saw it or why there is none."""
    groups = [(mutant.module, [])] if all_tests else []
    for module, name in [] if all_tests else mutant.tests():
        if len(groups) > 1 and groups[-1][0] == module:  # the quickest alone, the others of a module together
            groups[-1][1].append(name)
        else:
            groups.append((module, [name]))
    copy.change(mutant, "apply", str(mutant.path))
    try:
        for module, names in groups:
            if module != mutant.module and not copy.installed:
                copy.install(mutant)
            failed, why = copy.run(module, names)
            if why:
                return "NOT JUDGED", why
            if failed:
                copy.restore(mutant)
                red = copy.red_without(module, failed, names)
                return ("NOT JUDGED", f"red without it: {red}") if red else ("KILLED", "; ".join(failed[:3]))
        return "SURVIVED", ""
    finally:
        copy.restore(mutant)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="areas, mutants (area/name) or files; all without any")
    parser.add_argument("--list", action="store_true", help="say of each what is wrong in it")
    parser.add_argument("--check", action="store_true", help="whether patches apply to HEAD and name tests that exist")
    parser.add_argument("--all-tests", action="store_true", help="run all tests of the module instead of Seen-by")
    parser.add_argument("--built", action="store_true", help="copy the working tree's build, which must be of HEAD")
    parser.add_argument("--minutes", type=int, default=10, help="for one run of tests; longer is a kill by TIMEOUT")
    parser.add_argument("--work", type=Path, help="keep clone and repository here, for further runs of the same commit")
    parser.add_argument("--table", type=Path, default=HERE / "results.md", help="append to this file")
    options = parser.parse_args()
    wanted = [name.removeprefix("mutants/").removesuffix(".patch").rstrip("/") for name in options.names]
    mutants = [mutant for mutant in map(Mutant, sorted(HERE.glob("*/*.patch")))
               if not wanted or mutant.name in wanted or mutant.path.parent.name in wanted]
    if options.list:
        return print(*(f"{mutant.name}: {mutant.fields.get('What')}" for mutant in mutants), sep="\n")
    if options.check or not mutants:
        return check(mutants) if mutants else "no such mutant"

    def emit(text):
        print(text, end="", flush=True)
        with options.table.open("a") as file:
            file.write(text)

    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # by way of what puts the copy in order
    work = options.work or Path(tempfile.mkdtemp(prefix="sluice-mutants-"))
    try:
        copy = Copy(work, options.minutes, options.built, {module for each in mutants for module, _ in each.tests()})
        commit = git("rev-parse", "--short", "HEAD", cwd=copy.tree).stdout.strip()
        emit(f"\nCommit {commit}\n\n| mutant | outcome | killed by | seconds |\n|---|---|---|---|\n")
        for mutant in mutants:
            begun = time.monotonic()
            outcome, by = judge(copy, mutant, options.all_tests)
            by = " ".join(by.replace("|", "/").split())
            emit(f"| {mutant.name} | {outcome} | {by} | {time.monotonic() - begun:.0f} |\n")
    finally:
        if not options.work:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
