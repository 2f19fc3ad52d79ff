# SPDX-License-Identifier: Apache-2.0
"""What the tests of the installed package share: where things are, and how commands are run.

CTest sets SANDPROOF_SOURCE and SANDPROOF_BUILD (the repository and its build tree) and
SANDPROOF_SCRATCH (a directory of the consumers' own). The package lies in SCRATCH/package: it was
installed elsewhere and moved there (install_test.py), so that nothing can lean on the first place.
"""
import os
import pathlib
import shutil
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ['SANDPROOF_SOURCE'])
BUILD = pathlib.Path(os.environ['SANDPROOF_BUILD'])
SCRATCH = pathlib.Path(os.environ['SANDPROOF_SCRATCH'])
PACKAGE = SCRATCH / 'package'
PROGRAM = PACKAGE / 'bin/sandproof'

# One command; CTest's own limit is longer.
LIMIT_SECONDS = 240
JOBS = '2'


def finished(*words, cwd=None, env=None, status=0):
    """Runs a command to its end. A status other than `status` (None: any) fails the test with all
    that the command printed."""
    words = [str(word) for word in words]
    environment = {**os.environ, 'COLUMNS': '100', 'LC_ALL': 'C.UTF-8', **(env or {})}
    done = subprocess.run(words, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=LIMIT_SECONDS, check=False)
    if status is not None and done.returncode != status:
        raise AssertionError(f'{" ".join(words)}: exit status {done.returncode}, not {status}\n'
                             f'{done.stdout}\n{done.stderr}')
    return done


def run(*words, **how):
    """As finished(); its standard output."""
    return finished(*words, **how).stdout


def fails(*words, **how):
    """As finished(); its standard error."""
    return finished(*words, **how).stderr


def fresh(name):
    """An empty directory below the scratch directory."""
    path = SCRATCH / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def build(source, tree):
    """Configures and builds a project against the package."""
    run('cmake', '-G', 'Ninja', '-S', source, '-B', tree, f'-DCMAKE_PREFIX_PATH={PACKAGE}')
    run('cmake', '--build', tree, '--parallel', JOBS)


class TestCase(unittest.TestCase):
    """With messages that show what was looked at."""

    def assertLines(self, text, *wanted):
        for line in wanted:
            self.assertIn(line, text)


def main():
    unittest.main(verbosity=2)
