# SPDX-License-Identifier: Apache-2.0
"""Each installed header compiles alone, twice in one unit, with the package's own flags and warnings
as errors. (Without unity builds and precompiled headers, which would lend it includes.)"""
import concurrent.futures
import os
import shlex
import subprocess

from consumer import LIMIT_SECONDS, PACKAGE, TestCase, main, run

WARNINGS = '-Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Wnon-virtual-dtor -Werror'.split()


def compile_alone(header, flags):
    include = f'#include "{header.relative_to(PACKAGE / "include")}"\n'
    return subprocess.run(
        [os.environ.get('CXX', 'c++'), '-std=c++20', '-fsyntax-only', '-x', 'c++', *WARNINGS, *flags, '-'],
        input=include * 2, text=True, capture_output=True, timeout=LIMIT_SECONDS, check=False)


class Headers(TestCase):
    def test_each_compiles_alone(self):
        pkgconfig = next(PACKAGE.rglob('pkgconfig'))
        flags = shlex.split(run('pkg-config', '--cflags', 'sandproof-conformance', 'sandproof-flavors',
                                env={'PKG_CONFIG_PATH': str(pkgconfig)}))
        # -I, so that warnings in them count.
        headers = sorted((PACKAGE / 'include').rglob('*.h'))
        self.assertGreater(len(headers), 20)
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            results = list(pool.map(lambda header: compile_alone(header, flags), headers))
        for header, result in zip(headers, results):
            with self.subTest(str(header)):
                self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == '__main__':
    main()
