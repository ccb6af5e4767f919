"""The build backend of `pip install .`: setuptools, without a download where Debian has it.

pip builds in an environment of its own, without the packages of Debian. With Debian's Python, this finds its setuptools
and wheel there; pip downloads them otherwise.
"""
import importlib.util
import sys

_DEBIAN = "/usr/lib/python3/dist-packages"


def _is_there():
    return all(importlib.util.find_spec(name) is not None for name in ("setuptools", "wheel"))


if not _is_there() and sys.base_prefix == "/usr":
    sys.path.append(_DEBIAN)


def get_requires_for_build_wheel(config_settings=None):
    return [] if _is_there() else ["setuptools", "wheel"]


get_requires_for_build_sdist = get_requires_for_build_wheel


def _backend():
    from setuptools import build_meta  # there by now
    return build_meta


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    return _backend().prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _backend().build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    return _backend().build_sdist(sdist_directory, config_settings)
