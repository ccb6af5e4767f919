"""Has CMake build the module. ODDSBOUND_BUILD names a build folder that is configured already, to take it from."""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(oddsbound VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class BuildByCMake(build_ext):
    def run(self):
        build = os.environ.get("ODDSBOUND_BUILD")
        if build is None:
            build = str(ROOT / "build" / "wheel")
            self._configure(build)
        subprocess.run(["cmake", "--build", build, "--target", "oddsbound_python"], check=True)
        subprocess.run(["cmake", "--install", build, "--component", "python_module", "--strip",
                        "--prefix", str(pathlib.Path(self.build_lib).resolve())], check=True)

    def _configure(self, build):
        # Without what is only for working on it.
        subprocess.run(["cmake", "-S", str(ROOT), "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DCMAKE_UNITY_BUILD=ON", "-DODDSBOUND_TESTS=OFF", "-DODDSBOUND_BENCH=OFF",
                        "-DODDSBOUND_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"], check=True)


# What setuptools makes goes beside what CMake makes.
SCRAP = ROOT / "build" / "setuptools"
SCRAP.mkdir(parents=True, exist_ok=True)
setup(version=VERSION, ext_modules=[Extension("oddsbound._oddsbound", sources=[])],
      cmdclass={"build_ext": BuildByCMake},
      options={"build": {"build_base": str(SCRAP)}, "egg_info": {"egg_base": str(SCRAP)},
               "bdist_wheel": {"bdist_dir": str(SCRAP / "wheel")}})
