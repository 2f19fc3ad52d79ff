# SPDX-License-Identifier: Apache-2.0
"""compare_reports.py FOLDER: reads conformance.{json,xml,html,md} and badge.json of one run and says
where they tell something else, case by case. Exits with 1 if they do."""

import html
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

KNOWN = 'known-failures'
FAILING = ('crashed', 'timeout', 'error', 'failed', 'unexpected_pass')


def cases_of_json(document):
    return {(flavor['flavor'], case['case']): case['outcome']
            for flavor in document['flavors'] for case in flavor['cases']}


def cases_of_junit(root):
    cases = {}
    for suite in root.iter('testsuite'):
        for prop in suite.iter('property'):
            match = re.fullmatch(r'case\.(.*)\.outcome', prop.get('name'))
            if match:
                cases[suite.get('name'), match[1]] = prop.get('value')
    return cases


def check_elements(root, cases, problems):
    """The element of each case is that of its outcome; SHOULD rules have no failures here."""
    seen = set()
    for suite in root.iter('testsuite'):
        counts = {'failure': 0, 'error': 0, 'skipped': 0}
        for test in suite.iter('testcase'):
            kind = next((child.tag for child in test if child.tag in counts), 'passed')
            if kind in counts:
                counts[kind] += 1
            if suite.get('name') == KNOWN:
                continue
            key = (suite.get('name'), test.get('name'))
            seen.add(key)
            outcome = cases.get(key)
            if outcome is None:
                problems.append('the XML has a case that the JSON has not: %s' % (key,))
            elif (outcome == 'passed') != (kind == 'passed'):
                problems.append('%s is %s, and %s in the XML' % (key, outcome, kind))
            elif (outcome in FAILING) != (kind in ('failure', 'error')):
                problems.append('%s is %s, and %s in the XML' % (key, outcome, kind))
        for kind, attribute in (('failure', 'failures'), ('error', 'errors'), ('skipped', 'skipped')):
            if int(suite.get(attribute)) != counts[kind]:
                problems.append('%s: @%s is not the number of elements' % (suite.get('name'),
                                                                          attribute))
    problems += ['the XML has no %s' % (key,) for key in cases if key not in seen]


def check_known_failures(root, page, text, document, problems):
    """The list of known failures: an element for each entry, a sentence where the run fails by it."""
    known = document['known_failures']
    suite = root.find("testsuite[@name='%s']" % KNOWN)
    if known is None:
        if suite is not None or 'id="known-failures"' in page or '#### Known failures' in text:
            problems.append('a report tells of known failures, and there is no list of them')
        return
    shown = [next((child.tag for child in test), 'passed') for test in suite.iter('testcase')]
    kinds = {'holds': 'passed', 'not_judged': 'skipped'}
    wanted = [kinds.get(entry['state'], 'failure') for entry in known['entries']]
    wanted.append('failure' if known['unlisted'] else 'passed')
    if shown != wanted:
        problems.append('the XML has %s for the known failures, not %s' % (shown, wanted))
    if known['hold'] == ('the list of known failures does not hold' in page.lower()):
        problems.append('the HTML differs from the JSON in whether the list holds')
    if known['hold'] == ('the run fails:' in text):
        problems.append('the Markdown differs from the JSON in whether the list holds')
    for entry in known['entries']:
        for name, report in (('HTML', page), ('Markdown', text)):
            if html.escape(entry['reason']) not in report:
                problems.append('the %s has no reason of line %d' % (name, entry['line']))


def check_badge(badge, document, problems):
    if badge['isError'] != (document['exit_code'] != 0):
        problems.append('the badge is no error, or one, against the exit code')
    if document['exit_code'] == 1 and badge['color'] != 'red':
        problems.append('the badge is %s' % badge['color'])


def check_markdown(text, document, problems):
    """The table of counts, and one block with a replay line for each failure."""
    rows = [[cell.strip() for cell in line.strip('|').split('|')]
            for line in text.splitlines() if line.startswith('|')]
    words = {'passed': 'passed', 'failed': 'failed', 'error': 'error', 'timeout': 'hung',
             'crashed': 'crashed', 'unsupported': 'not claimed',
             'not_observable': 'not observable here', 'not_run': 'not run'}
    for flavor in document['flavors']:
        row = next((r for r in rows if html.unescape(r[0]) == '**%s**' % flavor['flavor']), None)
        if row is None:
            problems.append('the Markdown has no row for %s' % flavor['flavor'])
            continue
        for outcome, word in words.items():
            shown = row[rows[0].index(word)] if word in rows[0] else '0'
            if int(shown) != flavor['case_counts'][outcome]:
                problems.append('the Markdown has %s %s cases of %s' % (shown, outcome,
                                                                        flavor['flavor']))
        for case in flavor['cases']:
            if case['outcome'] in FAILING and case['seed'] is not None:
                if case['replay'] not in text:
                    problems.append('the Markdown does not replay %s' % case['case'])


def main(folder):
    folder = pathlib.Path(folder)
    document = json.loads((folder / 'conformance.json').read_text(encoding='utf-8'))
    root = ElementTree.parse(folder / 'conformance.xml').getroot()
    page = (folder / 'conformance.html').read_text(encoding='utf-8')
    embedded = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    badge = json.loads((folder / 'badge.json').read_text(encoding='utf-8'))
    cases = cases_of_json(document)
    problems = []
    if not cases:
        problems.append('there are no cases')
    if cases_of_json(embedded) != cases:
        problems.append('the HTML differs from the JSON')
    if cases_of_junit(root) != cases:
        problems.append('the XML differs from the JSON')
    check_elements(root, cases, problems)
    check_markdown((folder / 'conformance.md').read_text(encoding='utf-8'), document, problems)
    check_known_failures(root, page, (folder / 'conformance.md').read_text(encoding='utf-8'),
                         document, problems)
    check_badge(badge, document, problems)
    failing = any(True for kind in ('failure', 'error') for _ in root.iter(kind))
    if failing != (document['exit_code'] != 0):
        problems.append('the XML is not red where the run is, or the other way round')
    for flavor in document['flavors']:
        if '%s %d/' % (flavor['flavor'], flavor['rule_counts']['passed']) not in badge['message']:
            problems.append('the badge differs from the JSON: %s' % badge['message'])
    print('\n'.join(problems) or '%d cases agree' % len(cases))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
