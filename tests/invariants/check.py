#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the invariants of docs/architecture.md that a text search can see. rules.py is the table.

  check.py [ROOT]       checks the repository; one line per finding; exit 1 if there is any
  check.py --self-test  feeds every check what it must catch and what it must let pass
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import examples  # noqa: E402
import rules  # noqa: E402

SUFFIXES = ('.cc', '.h', '.py', '.cmake', 'CMakeLists.txt')


def read_tree(root):
    tree = {}
    for folder, folders, files in os.walk(root):
        relative = os.path.relpath(folder, root)
        folders[:] = [name for name in folders
                      if name not in ('build', '__pycache__') and (name == '.ci' or not name.startswith('.'))]
        for name in files:
            path = os.path.normpath(os.path.join(relative, name))
            if name.endswith(SUFFIXES) or path.startswith(('scripts/', '.ci/')):
                with open(os.path.join(folder, name), encoding='utf-8') as file:
                    tree[path] = file.read()
    return tree


def check(root):
    tree = read_tree(root)
    if not any(path.endswith('.cc') for path in tree):
        print(f'check.py: no source below {root}; the argument is the root of the repository')
        return 2
    findings = sorted({(path, line, rule.__name__, message)
                       for rule in rules.ALL for path, line, message in rule(tree)})
    for path, line, name, message in findings:
        print(f'{path}:{line}: {name}: {message}')
    print(f'{len(rules.ALL)} invariants over {len(tree)} files: {len(findings)} findings')
    return 1 if findings else 0


def self_test():
    failures = []
    for rule in rules.ALL:
        name = rule.__name__
        bad, good = examples.BAD.get(name, []), examples.GOOD.get(name, [])
        if not bad:
            failures.append(f'{name}: there is no example that it must catch')
        for path, text in bad:
            found = [finding for finding in rule({path: text}) if finding[0] == path]
            if not found:
                failures.append(f'{name}: did not catch, in {path}: {text!r}')
        for path, text in good:
            for finding in rule({path: text}):
                failures.append(f'{name}: wrongly reported {finding[2]!r} in {path}: {text!r}')
    for name in {*examples.BAD, *examples.GOOD} - {rule.__name__ for rule in rules.ALL}:
        failures.append(f'{name}: examples for a check that does not exist')
    for failure in failures:
        print(failure)
    count = sum(len(rows) for rows in (*examples.BAD.values(), *examples.GOOD.values()))
    print(f'self-test: {len(rules.ALL)} checks, {count} examples, {len(failures)} failures')
    return 1 if failures else 0


def main(arguments):
    if arguments == ['--self-test']:
        return self_test()
    if len(arguments) > 1 or any(argument.startswith('-') for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    here = os.path.dirname(os.path.abspath(__file__))
    return check(arguments[0] if arguments else os.path.normpath(os.path.join(here, '..', '..')))


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
