# SPDX-License-Identifier: Apache-2.0
"""Somebody else's project (project/): a flavor of twenty lines, the suite as its own program and
behind GoogleTest's runner."""
import json
import os
import re
import signal
import subprocess
import time
import xml.etree.ElementTree

from consumer import LIMIT_SECONDS, SCRATCH, SOURCE, TestCase, build, finished, fresh, main, run

TREE = SCRATCH / 'project'
SUITE = TREE / 'shelled'
TESTS = TREE / 'shelled_gtest'
BROKEN = TREE / 'broken_gtest'


def setUpModule():
    fresh('project')
    build(SOURCE / 'tests/consumer/project', TREE)


class OwnProgram(TestCase):
    def test_the_binding_is_five_lines(self):
        text = (SOURCE / 'tests/consumer/project/shelled_main.cc').read_text()
        body = text[text.index('int main'):text.index('// shown: end')].splitlines()
        self.assertLessEqual(len(body), 5, body)

    def test_list(self):
        self.assertIn('KILL-002', run(SUITE, 'list'))
        bindings = json.loads(run(SUITE, 'list', 'bindings', '--json'))['bindings']
        self.assertEqual([binding['flavor'] for binding in bindings], ['shelled'])
        self.assertEqual(bindings[0]['unclaimed']['attach'], 'a session ends with its handle')

    def test_its_help_names_itself(self):
        text = run(SUITE, 'run', '--help') + run(SUITE, '--help')
        self.assertLines(text, '  shelled run --flavor shelled -j4 ', '  shelled list  ')
        self.assertNotRegex(text, r'sandproof |--flavor local')

    def test_what_holds_passes(self):
        text = run(SUITE, 'run', '--area', 'SESSION')
        self.assertIn('shelled: conformant as declared.', text)

    def test_what_the_flavor_gets_wrong_is_found(self):
        text = run(SUITE, 'run', '--rule', 'EXEC-004', '--rule', 'EXEC-001', status=1)
        self.assertLines(text, 'ACommandThatCannotStartIsAnExecError on shelled: failed',
                         'Actual: "status 127"', 'shelled replay --flavor shelled --case',
                         'shelled: not conformant: 1 MUST rule does not hold (EXEC-004).')


class GoogleTestDoor(TestCase):
    def cases(self):
        return json.loads(run(SUITE, 'list', 'cases', '--json'))['cases']

    def test_every_case_is_listed_and_discovered(self):
        wanted = {f'shelled/{case["rules"][0].split("-")[0]}.{case["case"]}' for case in self.cases()}
        listed, suite = set(), ''
        for line in run(TESTS, '--gtest_list_tests').splitlines():
            if line.startswith('  '):
                listed.add(suite + line.split('#')[0].strip())
            elif line.split('#')[0].strip().endswith('.'):
                suite = line.split('#')[0].strip()
        self.assertGreater(len(wanted), 100)
        self.assertEqual(listed, wanted | {'Shelled.HasAName'})
        known = json.loads(run('ctest', '--test-dir', TREE, '--show-only=json-v1'))
        discovered = {test['name'] for test in known['tests']}
        self.assertEqual(discovered, listed | {'shelled.conformance'})

    def test_ctest_runs_them(self):
        text = run('ctest', '--test-dir', TREE, '-R', r'^(shelled/WAIT\.A.*|Shelled\..*|shelled\.conf.*)$')
        self.assertIn('100% tests passed', text)
        self.assertRegex(text, r'shelled/WAIT\.AnUnknownStatusIsLost \.+ +Passed')

    def test_filters_and_outcomes(self):
        report = SCRATCH / 'gtest.xml'
        text = run(TESTS, '--gtest_filter=shelled/EXEC.ACommandThatCannot*:shelled/ATTACH.*:shelled/WAIT.WaitSays*',
                   f'--gtest_output=xml:{report}', '--gtest_random_seed=7', status=1)
        outcomes = {}
        for case in xml.etree.ElementTree.parse(report).iter('testcase'):
            kind = 'failed' if case.find('failure') is not None else case.get('result')
            outcomes.setdefault(case.get('classname'), set()).add(kind)
            rules = [item.get('value') for item in case.iter('property') if item.get('name') == 'rules']
            self.assertRegex(rules[0], r'^[A-Z]+-\d{3}')
        self.assertEqual(outcomes, {'shelled/EXEC': {'failed'}, 'shelled/ATTACH': {'skipped'},
                                    'shelled/WAIT': {'completed'}})
        # The rule, its sentence, what was seen, and how to see it again.
        self.assertLines(text, 'EXEC-004  ACommandThatCannotStartIsAnExecError on shelled: failed',
                         '`ExecError` from `exec` on every flavor', 'Actual: "status 127"',
                         '--gtest_filter=shelled/EXEC.ACommandThatCannotStartIsAnExecError '
                         '--gtest_random_seed=7',
                         'does not claim `attach`: a session ends with its handle',
                         'shelled_gtest.cc')

    def test_deviations(self):
        # Declared in shelled_gtest.cc: one that fails, and one that does not and has one case alone.
        text = run(TESTS, '--gtest_filter=shelled/SESSION.CreateGivesAnOpenSession:'
                   'shelled/EXEC.NamesAreLookedUpInNoOtherPath', status=1)
        self.assertLines(text, 'SESSION-001  CreateGivesAnOpenSession on shelled: passed, although the '
                               'flavor declares that it does not',
                         'EXEC-018 is a known deviation of this flavor: the shell looks names up '
                         '(https://example.com/2)',
                         '1 FAILED TEST')

    def test_shards_are_a_partition(self):
        words = (TESTS, '--gtest_filter=shelled/META.*:shelled/WAIT.*')
        ran = [re.findall(r'\[ RUN +\] (\S+)', run(*words, env={'GTEST_TOTAL_SHARDS': '3',
                                                                 'GTEST_SHARD_INDEX': str(index)}))
               for index in range(3)]
        whole = re.findall(r'\[ RUN +\] (\S+)', run(*words))
        self.assertTrue(all(ran))
        self.assertEqual(sorted(sum(ran, [])), sorted(whole))

    def test_a_runner_is_told_that_shards_are_understood(self):
        status = fresh('status') / 'file'
        run(TESTS, '--gtest_filter=Shelled.*:shelled/META.*', env={'GTEST_SHARD_STATUS_FILE': str(status)})
        self.assertTrue(status.is_file())


class Broken(TestCase):
    def test_a_hang_costs_one_test(self):
        text = run(BROKEN, '--gtest_filter=hangs_here/KILL.KillIsIdempotent:hangs_here/SET.ABadSettingIsRefusedByName',
                   status=1)
        self.assertLines(text, 'KILL-002  KillIsIdempotent on hangs-here: hung',
                         'in create_session on sandbox', '[       OK ] hangs_here/SET.')

    def test_a_crash_costs_one_test(self):
        text = run(BROKEN, '--gtest_filter=crashes/KILL.KillIsIdempotent:crashes/SET.ABadSettingIsRefusedByName', status=1)
        self.assertLines(text, 'KILL-002  KillIsIdempotent on crashes: crashed', 'signaled(6)',
                         '[       OK ] crashes/SET.')

    def test_a_killed_test_program_leaves_nothing(self):
        words = [str(BROKEN), '--patient', '--gtest_filter=hangs_here/KILL.KillIsIdempotent']
        mark = f'sandproof-test-{os.getpid()}'
        self.addCleanup(lambda: [os.kill(pid, signal.SIGKILL) for pid in marked(mark)])
        with subprocess.Popen(words, env=dict(os.environ, SANDPROOF_TEST_MARK=mark),
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            # The test, its guard, the supervisor, a keeper, a worker.
            self.wait_until(lambda: len(marked(mark)) >= 5)
            process.send_signal(signal.SIGKILL)
        self.wait_until(lambda: not marked(mark))

    def wait_until(self, condition):
        deadline = time.monotonic() + LIMIT_SECONDS / 4
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)  # There is no event to wait for: the processes are somebody else's.

    def test_wrong_bindings_are_one_sentence(self):
        done = finished(BROKEN, '--wrong-binding', status=2)
        self.assertEqual(done.stdout, '')
        self.assertRegex(done.stderr, r'^sandproof: the binding of `crashes` does not say why [^\n]*\n$')


def marked(mark):
    """The processes that have `mark` in their environment."""
    found = []
    for name in os.listdir('/proc'):
        try:
            with open(f'/proc/{name}/environ', 'rb') as file:
                if name.isdigit() and mark.encode() in file.read():
                    found.append(int(name))
        except OSError:
            pass
    return found


if __name__ == '__main__':
    main()
