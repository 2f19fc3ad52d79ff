# SPDX-License-Identifier: Apache-2.0
"""`sandproof init`: what it writes builds and runs as it is, says what to write next at each step,
and it refuses what it cannot do without leaving anything half done."""
import os
import re
import subprocess

from consumer import PACKAGE, PROGRAM, TestCase, build, fails, finished, fresh, main, run

FLAVOR = 'in_a_jail_flavor.cc'
CONFORMANCE = 'in-a-jail-conformance'

# Step by step, what an author would write: (what the run says, what is replaced, by what). The
# environment of this flavor is nothing at all, and its commands have all ended well.
IN = '() in in_a_jail_flavor.cc'
STEPS = (
    (f'create_session: write InAJailSandbox::do_create_session{IN} (step 1 of 6)',
     r'not_written\("create_session",.*?\);', 'return std::make_unique<InAJailSession>();'),
    (f'exec: write InAJailSession::do_exec{IN} (step 2 of 6)',
     r'not_written\("exec",.*?\);', 'return std::make_unique<InAJailProcess>();'),
    (f'write InAJailProcess::do_read() and do_descriptor{IN} (step 3 of 6)',
     r'static const NotWritten category;\n *return IoResult::failed\(.*?\);', 'return IoResult::end();'),
    (f'write InAJailProcess::do_poll_exit{IN} (step 4 of 6)',
     r'return ExitStatus::lost\(.*?\);', 'return ExitStatus::exited(0);'),
)
LAST_STEPS = (f'close: write InAJailSession::do_close{IN} (step 5 of 6)',
              f'kill: write InAJailProcess::do_kill{IN} (step 6 of 6)')


class Skeleton(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = fresh('init')
        cls.told = run(PROGRAM, 'init', 'in-a-jail', cwd=cls.directory)
        cls.project = cls.directory / 'in-a-jail'
        build(cls.project, cls.project / 'build')

    def run_suite(self, *words, status):
        return run(self.project / 'build' / CONFORMANCE, 'run', *words, status=status)

    def test_1_it_tells_the_way(self):
        commands = [line.strip() for line in self.told.split('Next:\n')[1].splitlines()]
        self.assertEqual(commands, [
            f'cmake -S in-a-jail -B in-a-jail/build -DCMAKE_PREFIX_PATH={PACKAGE}',
            'cmake --build in-a-jail/build',
            'in-a-jail/build/in-a-jail-conformance run --fail-fast'])

    def test_2_an_empty_flavor_fails_as_it_must(self):
        text = self.run_suite('--area', 'KILL', status=1)
        self.assertLines(text, 'in-a-jail: not conformant: ',
                         f' failed: {STEPS[0][0]}: make an environment')
        # Whatever a flavor does not have, no case crashes on it.
        text = self.run_suite('--area', 'SESSION', '--area', 'EXEC', status=1)
        self.assertNotRegex(text, 'crashed|hung')
        self.assertLines(self.run_suite('--fail-fast', status=1), STEPS[0][0])

    def test_3_it_is_a_test_program_too(self):
        text = run(self.project / 'build/in-a-jail-gtest', '--gtest_filter=in_a_jail/KILL.KillIsIdempotent',
                   status=1)
        self.assertLines(text, 'KILL-002  KillIsIdempotent on in-a-jail: error', STEPS[0][0])

    def write(self, pattern, written):
        path = self.project / FLAVOR
        text, count = re.subn(pattern, lambda _: written, path.read_text(), count=1, flags=re.S)
        self.assertEqual(count, 1, pattern)
        path.write_text(text)
        run('cmake', '--build', self.project / 'build', '--target', CONFORMANCE)

    def test_4_each_hook_that_is_written_brings_up_the_next(self):
        for said, pattern, written in STEPS:
            with self.subTest(said):
                self.assertEqual(self.first_unwritten('--fail-fast', status=1), said)
            self.write(pattern, written)
        self.assertEqual(self.first_unwritten('--area', 'CLOSE', status=1), LAST_STEPS[0])
        # A command that does not end.
        self.write(r'return ExitStatus::exited\(0\);', 'return std::nullopt;')
        text = self.first_unwritten('--case', 'KillEndsACommand', '--time-scale', '0.1', status=1)
        self.assertEqual(text, LAST_STEPS[1])

    def first_unwritten(self, *words, status):
        """What the first failure of a run asks for."""
        text = self.run_suite('-j1', *words, status=status)
        found = re.search(r'((?:create_session|exec|close|kill): )?write InAJail.*?\(step \d of 6\)', text)
        return found[0] if found else text

    def test_5_the_files_are_complete(self):
        fresh_one = self.directory / 'again'
        run(PROGRAM, 'init', 'in-a-jail', '--directory', fresh_one)
        files = {str(path.relative_to(fresh_one)) for path in fresh_one.rglob('*') if path.is_file()}
        self.assertEqual(files, {
            'CMakeLists.txt', 'README.md', 'main.cc', 'gtest_main.cc', 'ci', '.gitignore',
            '.github/workflows/conformance.yml', 'in_a_jail_flavor.h', FLAVOR, 'in_a_jail_binding.h',
            'in_a_jail_binding.cc'})
        self.assertTrue(os.access(fresh_one / 'ci', os.X_OK))
        for path in fresh_one.rglob('*'):
            if path.is_file():
                self.assertNotRegex(path.read_text(), r'@\w+@', path)
        subprocess.run(['sh', '-n', fresh_one / 'ci'], check=True)

    def test_6_ci_is_one_command(self):
        done = finished(self.project / 'ci', '--area', 'META', '--color', 'never', status=None,
                        env={'SANDPROOF_PREFIX': str(PACKAGE)})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn('in-a-jail: not conformant', done.stdout)
        for name in ('conformance.json', 'conformance.html', 'conformance.md', 'junit.xml'):
            self.assertTrue((self.project / 'build' / name).is_file(), name)


class Refusals(TestCase):
    def refused(self, *words, cwd=None):
        text = fails(PROGRAM, 'init', *words, cwd=cwd, status=2)
        self.assertRegex(text, r'^sandproof: [^\n]+\n$')
        return text

    def test_bad_names(self):
        directory = fresh('bad-names')
        self.assertIn('the value is empty', self.refused('--', '', cwd=directory))
        for name in ('Demo', '1st', 'a b', 'a.b', 'a/b', '..', 'a--b', 'a_', '-', 'ä', 'a' * 41):
            with self.subTest(name):
                self.assertIn('cannot name a flavor', self.refused('--', name, cwd=directory))
        self.assertEqual(list(directory.iterdir()), [])

    def test_places(self):
        directory = fresh('bad-places')
        full = directory / 'full'
        full.mkdir()
        (full / 'mine').write_text('mine')
        self.assertIn('is not empty', self.refused('full', cwd=directory))
        self.assertIn('is no directory', self.refused('demo', '--directory', full / 'mine'))
        self.assertIn('there is no directory', self.refused('demo', '--directory', directory / 'a/b'))
        self.assertIn('/proc', self.refused('demo', '--directory', '/proc/demo'))
        self.assertEqual([path.name for path in directory.rglob('*')], ['full', 'mine'])

    def test_a_full_disk_leaves_nothing(self):
        directory = fresh('full-disk')
        # No file may grow beyond one block of 512 bytes.
        done = finished('sh', '-c', f'trap "" XFSZ; ulimit -f 1; exec {PROGRAM} init demo', cwd=directory,
                        status=2)
        self.assertIn('cannot be written', done.stderr)
        self.assertEqual(list(directory.iterdir()), [])

    def test_an_empty_directory_is_taken(self):
        directory = fresh('empty')
        before = directory.stat().st_ino
        run(PROGRAM, 'init', 'demo', '--directory', '.', cwd=directory)
        self.assertTrue((directory / 'demo_flavor.cc').is_file())
        self.assertFalse(list(directory.glob('.sandproof-*')))
        # Somebody stands in it.
        self.assertEqual(directory.stat().st_ino, before)


if __name__ == '__main__':
    main()
