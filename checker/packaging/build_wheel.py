"""Builds the wheel of oddsbound_check with the standard library alone (PEP 517), so that `pip install ./checker` needs
no network and no other package."""
import base64
import hashlib
import pathlib
import re
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "oddsbound_check"
VERSION = re.search(r'__version__ = "([0-9.]+)"', (PACKAGE / "__init__.py").read_text(encoding="utf-8"))[1]
METADATA = f"""Metadata-Version: 2.1
Name: oddsbound-check
Version: {VERSION}
Summary: Checks the certificates of oddsbound, without oddsbound
License: Apache-2.0
Requires-Python: >=3.9
"""
WHEEL = """Wheel-Version: 1.0
Generator: oddsbound_check
Root-Is-Purelib: true
Tag: py3-none-any
"""
COMMANDS = """[console_scripts]
oddsbound-check = oddsbound_check.cli:run
"""


def files():
    """(name in the wheel, bytes) of everything that is installed."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_bytes()
    for name, text in (("METADATA", METADATA), ("WHEEL", WHEEL), ("entry_points.txt", COMMANDS)):
        yield f"oddsbound_check-{VERSION}.dist-info/{name}", text.encode()


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"oddsbound_check-{VERSION}-py3-none-any.whl"
    record = f"oddsbound_check-{VERSION}.dist-info/RECORD"
    written = list(files())
    lines = "".join(record_line(*file) for file in written) + f"{record},,\n"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, content in [*written, (record, lines.encode())]:
            wheel.writestr(zipfile.ZipInfo(file, (1980, 1, 1, 0, 0, 0)), content)
    return name
