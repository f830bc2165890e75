#!/usr/bin/env python3
"""Makes wheels for pip and packages for npm of binaries that are there.

    make.py OUT                           of the binaries and the version in dist/, where goreleaser leaves them
    make.py OUT VERSION OS/ARCH=BINARY...
    make.py --pip VERSION                 prints how pip spells it, and makes nothing
    make.py --release VERSION             prints the names of a release's files but that of its checksums

VERSION is that of a tag without its v: 1.2.3, or 1.2.3-rc.1 (alpha, beta, rc, dev). OS and ARCH are
Go's names. One source and one SOURCE_DATE_EPOCH make the
same bytes. Needs npm.
"""
import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLATFORMS = json.loads((HERE / "platforms.json").read_text())
ABOUT = "Verifies, hashes, lints and evaluates what AI agents did"
HOME = "https://github.com/cupel-dev/cupel"
LICENSES = ["LICENSE", "NOTICE"]  # its own, and those of what the binary contains
SHARED = {  # where a prefix such as ~/.local has it, so that man and the shells find it
    **{f"docs/{page.name}": f"share/man/man1/{page.name}" for page in sorted((ROOT / "docs").glob("cupel*.1"))},
    "commands/internal/cmdline/completion/cupel.bash": "share/bash-completion/completions/cupel",
    "commands/internal/cmdline/completion/cupel.zsh": "share/zsh/site-functions/_cupel",
    "commands/internal/cmdline/completion/cupel.fish": "share/fish/vendor_completions.d/cupel.fish",
}


class Refused(Exception):
    """What was asked for cannot be made; the text says why."""


def pip_version(version):
    """The version as PEP 440 spells it."""
    number = r"(?:0|[1-9][0-9]{0,8})"
    m = re.fullmatch(rf"({number}(?:\.{number}){{2}})(?:-(alpha|beta|rc|dev)\.({number}))?", version, re.ASCII)
    if not m:
        raise Refused(f"{version!r} is no version: expected 1.2.3, or 1.2.3-rc.1 with alpha, beta, rc or dev")
    release, phase, step = m.groups()
    return release + ({"alpha": "a", "beta": "b", "rc": "rc", "dev": ".dev"}[phase] + step if phase else "")


def platform(goos, goarch):
    for p in PLATFORMS:
        if (p["goos"], p["goarch"]) == (goos, goarch):
            return p
    known = ", ".join(f"{p['goos']}/{p['goarch']}" for p in PLATFORMS)
    raise Refused(f"no packages for {goos}/{goarch}: expected one of {known}")


def executable(p):
    return "cupel.exe" if p["goos"] == "windows" else "cupel"


def wheel_file(version, p):
    return f"cupel_cli-{pip_version(version)}-py3-none-{p['wheel']}.whl"


def wheel(out, version, p, binary):
    """Writes a wheel whose script is the binary itself: no Python runs when it is called, except by python -m cupel_cli."""
    name = f"cupel_cli-{pip_version(version)}"
    files = {f"{name}.data/scripts/{executable(p)}": (binary.read_bytes(), 0o755),
             "cupel_cli/__init__.py": (b"", 0o644),
             "cupel_cli/__main__.py": ((HERE / "main.py").read_bytes(), 0o644)}
    for source, place in SHARED.items():
        files[f"{name}.data/data/{place}"] = ((ROOT / source).read_bytes(), 0o644)
    info = f"{name}.dist-info"
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in p["wheel"].split("."))
    for file, text in {
        **{f"licenses/{file}": (ROOT / file).read_text() for file in LICENSES},
        "METADATA": metadata(pip_version(version)),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: cupel\nRoot-Is-Purelib: false\n{tags}",
    }.items():
        files[f"{info}/{file}"] = (text.encode(), 0o644)
    files[f"{info}/RECORD"] = (record(files, f"{info}/RECORD").encode(), 0o644)
    path = out / wheel_file(version, p)
    stamp = time.gmtime(max(epoch(), 315532800))[:6]  # a zip knows no year before 1980
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file, (content, mode) in files.items():
            entry = zipfile.ZipInfo(file, stamp)
            entry.create_system, entry.external_attr = 3, (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return path


def metadata(version):
    return f"""Metadata-Version: 2.4
Name: cupel-cli
Version: {version}
Summary: {ABOUT}
License-Expression: Apache-2.0
License-File: LICENSE
License-File: NOTICE
Project-URL: Homepage, {HOME}
Project-URL: Changelog, {HOME}/blob/main/CHANGELOG.md
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{readme()}"""


def record(files, itself):
    lines = []
    for file, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        lines.append(f"{file},sha256={digest},{len(content)}\n")
    return "".join(lines) + f"{itself},,\n"


def readme():
    """The README with links that lead somewhere from the registries' pages, too."""
    return re.sub(r"\]\((?![a-z]+:|#)", f"]({HOME}/blob/main/", (ROOT / "README.md").read_text())


def epoch():
    stamp = os.environ.get("SOURCE_DATE_EPOCH") or subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return int(stamp)


def npm_name(p):
    return "@cupel-dev/cupel-" + "-".join(p["npm"])


def npm(out, manifest, files):
    """Packs one package for npm; its files are pairs of a place and (content, mode)."""
    with tempfile.TemporaryDirectory() as folder:
        about = {
            "description": ABOUT, "license": "Apache-2.0", "homepage": HOME,
            "repository": {"type": "git", "url": f"git+{HOME}.git"},
        }
        files = {"package.json": (json.dumps(manifest | about, indent=2).encode() + b"\n", 0o644),
                 **{file: ((ROOT / file).read_bytes(), 0o644) for file in LICENSES}, **files}
        for file, (content, mode) in files.items():
            place = pathlib.Path(folder, file)
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(content)
            place.chmod(mode)
        done = subprocess.run(["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", out],
                              cwd=folder, check=True, capture_output=True, text=True)
        return out / json.loads(done.stdout)[0]["filename"]


def npm_binary(out, version, p, binary):
    """The package of one platform: npm installs it there alone."""
    system, cpu = p["npm"]
    place = f"bin/{executable(p)}"
    return npm(out, {"name": npm_name(p), "version": version, "os": [system], "cpu": [cpu], "preferUnplugged": True},
               {place: (binary.read_bytes(), 0o755)})


def npm_main(out, version):
    """The package that users name: it calls the binary of whichever platform's package is there."""
    return npm(out, {
        "name": "cupel-cli", "version": version, "bin": {"cupel": "bin/cupel.js"}, "engines": {"node": ">=18"},
        "optionalDependencies": {npm_name(p): version for p in PLATFORMS},
    }, {"bin/cupel.js": ((HERE / "cupel.js").read_bytes(), 0o755), "README.md": (readme().encode(), 0o644)})


def release(version):
    """The names of all files that a release has, but the list of their checksums."""
    yield f"cupel-cli-{version}.tgz"
    yield "verify.html"
    for p in PLATFORMS:
        name = f"cupel_{version}_{p['goos']}_{p['goarch']}"
        yield name + (".zip" if p["goos"] == "windows" else ".tar.gz")
        yield name + ".cdx.json"
        yield wheel_file(version, p)
        yield f"{npm_name(p)[1:].replace('/', '-')}-{version}.tgz"  # as npm pack calls it


def released():
    """The version in dist/, and its binaries as they are named on the command line."""
    try:
        version = json.loads((ROOT / "dist/metadata.json").read_text())["version"]
        listed = json.loads((ROOT / "dist/artifacts.json").read_text())
    except FileNotFoundError:
        raise Refused("no binaries: make dist builds them, or name some as OS/ARCH=BINARY") from None
    return [version] + [f"{a['goos']}/{a['goarch']}={ROOT / a['path']}" for a in listed if a["type"] == "Binary"]


def binaries(args):
    """The platform and the file of each binary that is named."""
    for arg in args:
        m = re.fullmatch(r"([a-z0-9]+)/([a-z0-9]+)=(.+)", arg)
        if not m:
            raise Refused(f"{arg!r} is not of the form OS/ARCH=BINARY")
        binary = pathlib.Path(m[3])
        if not binary.is_file():
            raise Refused(f"no such file: {m[3]!r}")
        yield platform(m[1], m[2]), binary


def main(args):
    if args[:1] == ["--pip"] and len(args) == 2:
        print(pip_version(args[1]))
        return
    if args[:1] == ["--release"] and len(args) == 2:
        pip_version(args[1])
        print(*release(args[1]), sep="\n")
        return
    if len(args) in (0, 2) or args[0].startswith("-"):
        raise Refused("usage: make.py OUT [VERSION OS/ARCH=BINARY...], or make.py --pip VERSION, or --release VERSION")
    version, *named = args[1:] or released()
    pip_version(version)  # npm takes more than pip: what both take is made
    found = list(binaries(named))
    out = pathlib.Path(args[0]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    made = [npm_main(out, version)]
    for p, binary in found:
        made += [wheel(out, version, p, binary), npm_binary(out, version, p, binary)]
    for path in made:
        print(f"{path.stat().st_size:>10}  {path.name}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Refused as why:
        sys.exit(f"packages: {why}")
    except OSError as why:
        sys.exit(f"packages: {why.filename}: {why.strerror}")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"packages: {failed.cmd[0]}: {(failed.stderr or '').strip() or failed}")
