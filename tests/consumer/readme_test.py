# SPDX-License-Identifier: Apache-2.0
"""The section "Your own flavor" of README.md: its commands are run one after the other, and what it
shows of their output is what they print."""
import re

from consumer import BUILD, SOURCE, TestCase, fresh, main, run

SECTION = 'Your own flavor'
# Where the page says that its reader lives.
HOME = '/home/you'


def transcript():
    """[command, output shown] of the section, in its order."""
    page = (SOURCE / 'README.md').read_text()
    section = page.split(f'## {SECTION}\n')[1].split('\n## ')[0]
    commands = []
    for line in section.splitlines():
        if line.startswith('    $ '):
            commands.append([line.removeprefix('    $ '), ''])
        elif commands and (line.startswith('    ') or not line):
            commands[-1][1] += line.removeprefix('    ') + '\n'
        elif commands:
            break
    return [[command, shown.strip('\n')] for command, shown in commands]


def without_figures(text):
    text = re.sub(r'\d+\.\d+ s\b', 'T', text)
    text = re.sub(r'\bcase-[0-9a-f]{12}\b', 'ID', text)
    return re.sub(r'seed \d+|\d+ jobs?', 'N', text).strip('\n')


class Readme(TestCase):
    maxDiff = None

    def test_the_transcript(self):
        home = fresh('readme')
        (home / 'build').mkdir()
        (home / 'build/dev').symlink_to(BUILD)
        commands = transcript()
        self.assertEqual(len(commands), 5)
        for command, shown in commands:
            with self.subTest(command):
                conformance = 'demo-conformance' in command
                text = run('bash', '-c', command.replace(HOME, str(home)), cwd=home,
                           env={'HOME': str(home), 'COLUMNS': '80'}, status=1 if conformance else 0)
                if shown:
                    self.assertEqual(without_figures(text.replace(str(home), HOME)),
                                     without_figures(shown))


if __name__ == '__main__':
    main()
