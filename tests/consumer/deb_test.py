# SPDX-License-Identifier: Apache-2.0
"""`cpack` makes a Debian package that has everything, asks for what it needs, and says its version."""
import re
import shutil

from consumer import BUILD, SCRATCH, SOURCE, TestCase, main, run


class Deb(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = SCRATCH / 'deb'
        shutil.rmtree(cls.directory, ignore_errors=True)
        run('cpack', '-G', 'DEB', '--config', BUILD / 'CPackConfig.cmake', '-B', cls.directory)
        packages = list(cls.directory.glob('*.deb'))
        assert len(packages) == 1, packages
        cls.package = packages[0]

    def field(self, name):
        return run('dpkg-deb', '-f', self.package, name).strip()

    def test_it_says_what_it_is(self):
        version = re.search(r'project\(sandproof VERSION ([\d.]+)',
                            (SOURCE / 'CMakeLists.txt').read_text())[1]
        self.assertEqual(self.field('Package'), 'sandproof')
        self.assertEqual(self.field('Version'), version)
        self.assertRegex(self.package.name, rf'^sandproof_{re.escape(version)}_[a-z0-9]+\.deb$')
        # The program and the package agree.
        tree = SCRATCH / 'deb/tree'
        run('dpkg-deb', '-x', self.package, tree)
        self.assertEqual(run(tree / 'usr/bin/sandproof', '--version'), f'sandproof {version}\n')
        self.assertIn('local: conformant', run(tree / 'usr/bin/sandproof', 'run', '--area', 'META'))

    def test_it_asks_for_what_it_needs(self):
        depends = {item.strip().split(' ')[0] for item in self.field('Depends').split(',')}
        # To build with it, and to run the program.
        self.assertLessEqual({'libgtest-dev', 'libgmock-dev', 'libspdlog-dev', 'libyaml-cpp-dev',
                              'libc6', 'libstdc++6'},
                             depends)

    def test_its_files(self):
        listed = {}
        for line in run('dpkg-deb', '-c', self.package).splitlines():
            mode, owner, _, _, _, path = line.split(maxsplit=5)
            self.assertEqual(owner, 'root/root', path)
            listed[path.removeprefix('.')] = mode
        files = {path for path, mode in listed.items() if not mode.startswith('d')}
        for path in ('/usr/bin/sandproof', '/usr/include/sandproof/hooks.h',
                     '/usr/include/sandproof/conformance/binding.h',
                     '/usr/share/doc/sandproof/copyright', '/usr/share/doc/sandproof/docs/report.md'):
            self.assertIn(path, files)
        for name in ('libsandproof-conformance.a', 'sandproof-config.cmake', 'sandproof-framework.pc'):
            self.assertTrue(any(path.endswith('/' + name) for path in files), name)
        self.assertEqual(listed['/usr/bin/sandproof'], '-rwxr-xr-x')
        self.assertFalse([path for path in files if not path.startswith('/usr/')])


if __name__ == '__main__':
    main()
