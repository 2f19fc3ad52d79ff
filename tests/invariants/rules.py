# SPDX-License-Identifier: Apache-2.0
"""The invariants as a table of checks. A check takes the tree (path -> text) and yields findings
(path, line, message). ALL at the end of the file is the one list of them."""

import re

from scan import blank_comments, calls, code_only, conditions, includes, line_of

SOURCE_FOLDERS = ('framework', 'flavors', 'conformance', 'fakes', 'apps', 'tests', 'bench')
LARGEST_FILE_LINES = 500  # STYLE: about 300 lines, a hard look at 500.
# path -> reason. A table that grows with its contents is one noun however long it is.
LONG_FILES = {}

# Helpers of the cases, no cases themselves, that look at the harness's own process: path -> reason.
POSIX_CASE_HELPERS = {
    'conformance/cases/harness_state.cc': 'descriptors, signals and limits of the harness: the LEAK rules',
    'conformance/cases/support.cc': 'the pid of the harness',
}
# (path, macro) -> reason.
KNOWN_MACROS = {
    ('conformance/include/sandproof/conformance/assertions.h', 'GTEST_AMBIGUOUS_ELSE_BLOCKER_'):
        'extends the prefix of every assertion of GoogleTest, which counts them; there is no other hook',
}

FLAVOR_NAMES = ('local', 'memory', 'docker', 'kubernetes', 'detached', 'bare')

# (folder, what its files must not include, except, why)
FORBIDDEN_INCLUDES = (
    ('framework/', r'gtest/|gmock/', None, 'the framework knows no GoogleTest'),
    ('framework/', r'flavors/|local/', None, 'the framework knows no flavor'),
    ('framework/', r'fakes/|machine/', None, 'the framework knows no fake'),
    ('framework/', r'boost/(beast|asio|url)|flavors/http/|.*\bhttp\w*\.h', None,
     'the framework knows no HTTP'),
    ('framework/', r'conformance/|sandproof/conformance/|apps/|tests/', None,
     'the framework knows nothing that is built on it'),
    ('flavors/', r'gtest/|gmock/|conformance/|sandproof/conformance/|apps/|tests/', None,
     'a flavor knows the framework alone'),
    ('flavors/', r'fakes/', 'flavors/memory/', 'a flavor includes no fake'),
    ('flavors/memory/', r'fakes/(?!machine/)', None,
     'the memory flavor sits on fakes/machine and no other fake'),
    ('flavors/', r'framework/src/', None, 'a flavor sees the public headers of the framework'),
    ('fakes/', r'flavors/|conformance/|sandproof/conformance/|apps/|tests/|gtest/|gmock/', None,
     'a fake includes no flavor and no test'),
    ('fakes/machine/', r'fakes/(http|docker|kubernetes)/|boost/(beast|url)', None,
     'the machine knows neither HTTP nor a backend'),
    ('fakes/machine/programs/', r'boost/', None, 'a program includes nothing of Asio'),
    ('conformance/', r'flavors/', None, 'the suite knows no flavor'),
    ('conformance/', r'fakes/', None, 'the suite knows no fake'),
    ('conformance/', r'apps/|tests/', None, 'the suite knows no composition'),
    ('conformance/', r'framework/src/', None, 'the suite sees the public headers of the framework'),
)

# Calls that make a descriptor, and the flag that makes it close on exec.
DESCRIPTOR_CALLS = {
    'open': r'O_CLOEXEC', 'open64': r'O_CLOEXEC', 'openat': r'O_CLOEXEC', 'creat': None,
    'pipe': None, 'pipe2': r'O_CLOEXEC',
    'socket': r'SOCK_CLOEXEC', 'socketpair': r'SOCK_CLOEXEC',
    'accept': None, 'accept4': r'SOCK_CLOEXEC',
    'eventfd': r'EFD_CLOEXEC', 'epoll_create': None, 'epoll_create1': r'EPOLL_CLOEXEC',
    'timerfd_create': r'TFD_CLOEXEC', 'signalfd': r'SFD_CLOEXEC',
    'inotify_init': None, 'inotify_init1': r'IN_CLOEXEC',
    'memfd_create': r'MFD_CLOEXEC', 'userfaultfd': r'O_CLOEXEC',
    'dup': None, 'dup2': None, 'dup3': r'O_CLOEXEC',
    'mkstemp': None, 'mkostemp': r'O_CLOEXEC', 'tmpfile': None, 'popen': None,
    'fopen': r'"[^"]*e[^"]*"', 'fdopen': r'.', 'shm_open': r'.',
}


def sources(tree, *folders):
    for path, text in sorted(tree.items()):
        if path.endswith(('.cc', '.h')) and path.startswith(folders or SOURCE_FOLDERS):
            yield path, text


def excused(text, offset, word):
    """The line of `offset`, or the one before it, says `// word: reason`."""
    line = line_of(text, offset)
    near = text.split('\n')[max(0, line - 2):line]
    return any(re.search(r'//.*\b' + word + r': \S', text_line) for text_line in near)


def spdx(tree):
    for path, text in sorted(tree.items()):
        if path.endswith(('.cc', '.h')):
            if not text.startswith('// SPDX-License-Identifier: Apache-2.0\n'):
                yield path, 1, 'the first line is not "// SPDX-License-Identifier: Apache-2.0"'
            elif not re.match(r'[^\n]*\n(//|/\*)', text):
                yield path, 2, 'no comment after the licence says what the file is'
        elif path.endswith(('.py', '.cmake', 'CMakeLists.txt')) or path.startswith(('scripts/', '.ci/')):
            if '# SPDX-License-Identifier: Apache-2.0' not in text.split('\n')[:2]:
                yield path, 1, 'no line "# SPDX-License-Identifier: Apache-2.0" among the first two'


def file_size(tree):
    for path, text in sources(tree):
        lines = text.count('\n')
        if lines > LARGEST_FILE_LINES and path not in LONG_FILES:
            yield path, lines, f'{lines} lines; the limit is {LARGEST_FILE_LINES}'
    for path in LONG_FILES:
        if path in tree and tree[path].count('\n') <= LARGEST_FILE_LINES:
            yield path, 1, 'is no longer long: take it off LONG_FILES'


def include_layers(tree):
    for folder, forbidden, exempt, why in FORBIDDEN_INCLUDES:
        for path, text in sources(tree, folder):
            if exempt and path.startswith(exempt):
                continue
            for offset, target, _ in includes(text):
                if re.match(forbidden, target):
                    yield path, line_of(text, offset), f'includes {target}: {why}'


def flavors_apart(tree):
    for path, text in sources(tree, 'flavors/'):
        own = path.split('/')[1]
        for offset, target, _ in includes(text):
            match = re.match(r'flavors/(\w+)/', target)
            if match and match[1] not in (own, 'http'):
                yield path, line_of(text, offset), f'includes {target}: flavors do not know each other'


def case_includes(tree):
    allowed = re.compile(r'sandproof/|gtest/gtest\.h$|gmock/gmock\.h$|conformance/cases/|[a-z_]+$')
    for path, text in sources(tree, 'conformance/cases/'):
        for offset, target, _ in includes(text):
            posix = path in POSIX_CASE_HELPERS and re.match(r'(sys/)?[a-z]+\.h$', target)
            if not allowed.match(target) and not posix:
                yield (path, line_of(text, offset),
                       f'includes {target}: a case sees public headers, GoogleTest and the standard library')


# What a case may assert about, and never branch on.
_BRANCH_WORDS = r'\bcapabilities\s*\(|\bis_(?:exited|signaled|lost)\s*\(|\bflavor(?:_name)?\s*\('


def case_branches(tree):
    for path, text in sources(tree, 'conformance/cases/'):
        code = code_only(text)
        # A variable that holds the answer is the answer. Only a condition's own bits: a name that
        # happens to be reused in another case is rare, and renaming it is cheap.
        derived = set(re.findall(r'(\w+)\s*(?:=|\{)[^;{}=]*(?:' + _BRANCH_WORDS + ')', code))
        words = _BRANCH_WORDS
        if derived:
            words += '|' + '|'.join(rf'\b{name}\b' for name in sorted(derived))
        for offset, condition in conditions(code):
            found = re.search(words, condition)
            if found:
                yield (path, line_of(code, offset),
                       f'branches on {found[0].rstrip("( ")}: a case asserts, it does not choose')
        for match in re.finditer(r'\bGTEST_SKIP\b', code):
            yield path, line_of(code, match.start()), 'GTEST_SKIP: a case cannot skip by itself'


def suite_flavor_names(tree):
    # Cases, mutants, runner, reports, doctor: what differs between flavors stands in their bindings.
    pattern = re.compile('"(' + '|'.join(FLAVOR_NAMES) + ')"')
    for path, text in sources(tree, 'conformance/'):
        code = blank_comments(text)
        for match in pattern.finditer(code):
            yield path, line_of(code, match.start()), f'names the flavor {match[0]}'


def close_on_exec(tree):
    folders = ('framework/', 'flavors/', 'conformance/runner/', 'fakes/', 'tests/support/')
    for path, text in sources(tree, *folders):
        # Comments are blanked, literals are not: the mode of fopen is one.
        code = blank_comments(text)
        blind = code_only(text)
        for offset, name, blind_arguments in calls(blind, DESCRIPTOR_CALLS):
            opening = blind.index('(', offset)
            arguments = code[opening + 1:opening + 1 + len(blind_arguments)]
            flag = DESCRIPTOR_CALLS[name]
            if flag and re.search(flag, arguments):
                continue
            # Flags may stand in a constant of the same file.
            if flag and any(re.search(rf'\b{word}\s*=[^;]*(?:{flag})', code)
                            for word in re.findall(r'\bk[A-Z]\w*', arguments)):
                continue
            if not arguments.strip() and name not in ('tmpfile', 'inotify_init'):
                continue  # A member function of that name: the system call takes arguments.
            if not excused(text, offset, 'no-cloexec'):
                yield (path, line_of(code, offset),
                       f'{name}() without close-on-exec; if it must be, say "// no-cloexec: reason"')
        for match in re.finditer(r'\bF_DUPFD\b', blind):
            yield path, line_of(code, match.start()), 'F_DUPFD without close-on-exec: F_DUPFD_CLOEXEC'
        for match in re.finditer(r'\bstd::[io]?fstream\b', blind):
            if not excused(text, match.start(), 'no-cloexec'):
                yield (path, line_of(code, match.start()),
                       f'{match[0]} opens without close-on-exec; if it may, say "// no-cloexec: reason"')


def no_select(tree):
    for path, text in sources(tree):
        code = code_only(text)
        found = [offset for offset, name, arguments in calls(code, ['select', 'pselect'])
                 if arguments.count(',') >= 4]  # Fewer: a function of ours.
        found += [match.start() for match in re.finditer(r'\bFD_(?:SET|ZERO|ISSET)\b|\bfd_set\b', code)]
        for offset in found:
            yield path, line_of(code, offset), 'select() fails above descriptor 1023: use poll()'


def no_registrars(tree):
    for path, text in sources(tree):
        code = code_only(text)
        bad = [
            (r'\b\w*Registrar\b', 'a registrar'),
            (r'__attribute__\s*\(\(\s*constructor|\[\[\s*gnu::constructor', 'code before main'),
            (r'^(?:static |inline |const |constexpr |\[\[maybe_unused\]\] )*(?:const )?(?:bool|int|auto) \w+ ?='
             r'[^;=]*\b[Rr]egister\w*\s*\(', 'a static registration'),
        ]
        if not path.startswith(('tests/', 'bench/')):
            bad.append((r'^(?:TEST|TEST_F|TEST_P|TYPED_TEST|INSTANTIATE_\w+)\s*\(', 'a test that registers itself'))
            bad.append((r'^BENCHMARK\w*\s*\(', 'a benchmark that registers itself'))
        for pattern, what in bad:
            for match in re.finditer(pattern, code, re.MULTILINE):
                yield path, line_of(code, match.start()), f'{what}: things are rows of a table'


def no_macros(tree):
    for path, text in sources(tree):
        for match in re.finditer(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', code_only(text), re.MULTILINE):
            if (path, match[1]) not in KNOWN_MACROS and not excused(text, match.start(), 'macro'):
                yield (path, line_of(text, match.start()),
                       f'defines the macro {match[1]}; if nothing else does, say "// macro: reason"')


def no_sleeps(tree):
    pattern = re.compile(r'\bsleep_(?:for|until)\s*\(|(?<![\w.])(?:::)?(?:u|nano)?sleep\s*\(|\bclock_nanosleep\s*\(')
    for path, text in sources(tree):
        code = code_only(text)
        for match in pattern.finditer(code):
            if not excused(text, match.start(), 'sleep'):
                yield (path, line_of(code, match.start()),
                       'sleeps: wait for an event with a deadline; if it must be, say "// sleep: reason"')


def header_guards(tree):
    for path, text in sources(tree):
        if path.endswith('.h') and not re.search(r'^#pragma once$', text, re.MULTILINE):
            yield path, 1, 'has no "#pragma once"'


def no_seeds_in_flavors(tree):
    pattern = re.compile(r'\bstd::(?:mt19937(?:_64)?|minstd_rand0?|default_random_engine|random_device)\b'
                         r'|(?<![\w.:])s?rand(?:om)?\s*\(')
    for path, text in sources(tree, 'flavors/'):
        code = code_only(text)
        for match in pattern.finditer(code):
            yield path, line_of(code, match.start()), f'{match[0].strip("( ")}: ids and tokens come from an IdSource'


def no_clock_in_fakes(tree):
    for path, text in sources(tree, 'fakes/'):
        code = code_only(text)
        for match in re.finditer(r'\b(?:system|steady|high_resolution)_clock::now\b|\bclock_gettime\s*\(', code):
            if not excused(text, match.start(), 'clock'):
                yield path, line_of(code, match.start()), 'reads a clock: time comes in as an argument'


ALL = (
    spdx, file_size, include_layers, flavors_apart, case_includes, case_branches, suite_flavor_names,
    close_on_exec, no_select, no_registrars, no_macros, no_sleeps, header_guards, no_seeds_in_flavors,
    no_clock_in_fakes,
)
