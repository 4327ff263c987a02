"""Downloads wheels and unpacks them: what `pip install --target` does, for a Python without pip.

Arguments: the folder, the beginning of the version, the names of the packages.
"""

import hashlib
import io
import json
import platform
import sys
import urllib.request
import zipfile

folder, version, packages = sys.argv[1], sys.argv[2], sys.argv[3:]
machine = platform.machine()


def fits(file):
    name = file["filename"]
    return name.endswith(".whl") and (machine in name or "-any." in name) and ("linux" in name or "-any." in name)


for package in packages:
    with urllib.request.urlopen(f"https://pypi.org/pypi/{package}/json") as answer:
        releases = json.load(answer)["releases"]
    found = [v for v in releases if v.startswith(version) and any(fits(file) for file in releases[v])]
    if not found:
        sys.exit(f"{package}: no wheel of {version}* for {machine}")
    newest = max(found, key=lambda v: [int(part) if part.isdigit() else 0 for part in v.split(".")])
    file = next(file for file in releases[newest] if fits(file))
    print(f"{file['filename']} ({file['size'] / 1e6:.0f} MB)", flush=True)
    with urllib.request.urlopen(file["url"]) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != file["digests"]["sha256"]:
        sys.exit(f"{file['filename']}: wrong checksum")
    zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
