# SPDX-License-Identifier: Apache-2.0
"""`cmake --install` to an empty prefix: what is there, and that it may be moved. The other tests of
this folder use what this one leaves (a CTest fixture)."""
import re
import shutil

from consumer import BUILD, PACKAGE, PROGRAM, SCRATCH, SOURCE, TestCase, main, run

# Beside the headers: every file, so that one that is there by accident is noticed.
EXPECTED = """
bin/sandproof
lib/libsandproof-conformance.a lib/libsandproof-flavor-local.a lib/libsandproof-framework.a
lib/cmake/sandproof/sandproof-config.cmake lib/cmake/sandproof/sandproof-config-version.cmake
lib/pkgconfig/sandproof-conformance.pc lib/pkgconfig/sandproof-flavors.pc
lib/pkgconfig/sandproof-framework.pc
share/doc/sandproof/LICENSE share/doc/sandproof/copyright share/doc/sandproof/README.md
""".split()


class Install(TestCase):
    @classmethod
    def setUpClass(cls):
        first = SCRATCH / 'first-place'
        for path in (first, PACKAGE):
            shutil.rmtree(path, ignore_errors=True)
        run('cmake', '--install', BUILD, '--prefix', first)
        first.rename(PACKAGE)

    def files(self):
        # lib may be lib64 or lib/<triplet> elsewhere.
        return {re.sub(r'^lib[^/]*/([^/]*-linux-gnu[^/]*/)?', 'lib/', str(path.relative_to(PACKAGE)))
                for path in PACKAGE.rglob('*') if path.is_file()}

    def test_what_is_installed(self):
        targets = {f'lib/cmake/sandproof/sandproof-{name}-targets'
                   for name in ('framework', 'flavors', 'conformance')}
        headers = {'include/' + str(path.relative_to(include))
                   for include in SOURCE.glob('*/include') for path in include.rglob('*.h')}
        docs = {'share/doc/sandproof/docs/' + path.name for path in SOURCE.glob('docs/*.md')}
        files = self.files()
        generated = {path for path in files if any(path.startswith(name) for name in targets)}
        self.assertGreater(len(headers), 20)
        self.assertEqual(files - generated, set(EXPECTED) | headers | docs)
        for name in targets:
            self.assertIn(name + '.cmake', generated)

    def test_no_text_names_a_place_of_this_machine(self):
        for path in PACKAGE.rglob('*'):
            if not path.is_file() or path.suffix in ('.a', '') or path.suffix == '.md':
                continue
            text = path.read_text()
            for place in (SOURCE, BUILD, SCRATCH):
                self.assertNotIn(str(place), text, path)

    def test_headers_include_nothing_that_is_not_installed(self):
        include = PACKAGE / 'include'
        for path in include.rglob('*.h'):
            for name in re.findall(r'#include "([^"]+)"', path.read_text()):
                self.assertTrue((include / name).is_file(), f'{path} includes {name}')

    def test_the_program_works_where_it_lies_now(self):
        self.assertRegex(run(PROGRAM, '--version'), r'^sandproof \d+\.\d+\.\d+$')
        # Starts itself again, as workers and as `elsewhere`.
        text = run(PROGRAM, 'run', '--area', 'META', cwd='/')
        self.assertLines(text, 'local: conformant as declared.')
        # Flavors for tests of the suite run where they are named, and the list says so.
        self.assertNotIn('detached', text)
        listed = run(PROGRAM, 'list', 'bindings')
        self.assertRegex(listed, r'(?m)^local$')
        self.assertRegex(listed, r'(?m)^detached \(test-only')
        self.assertRegex(listed, r'(?m)^bare \(test-only')


if __name__ == '__main__':
    main()
