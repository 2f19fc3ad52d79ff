# SPDX-License-Identifier: Apache-2.0
"""check_page.py PAGE FOLDER: opens an HTML report in Chromium and does what its readers do. Expects
what the page's data say, read without the page's script. Screenshots go to FOLDER. Exits with 1 at
the first thing that is not as it should be."""

import json
import pathlib
import re
import struct
import sys

from chromium import BrowserError, Chromium

SIZES = {'wide': (1280, 1000), 'phone': (390, 844)}


def expect(condition, what, *seen):
    if not condition:
        raise AssertionError('%s%s' % (what, ''.join('; seen: %r' % value for value in seen)))


class Page:
    """The page in the browser, and its data."""

    def __init__(self, browser, path):
        self.browser = browser
        self.url = pathlib.Path(path).resolve().as_uri()
        text = pathlib.Path(path).read_text(encoding='utf-8')
        self.data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
        self.rules = self.data['rules']
        self.flavors = {flavor['flavor']: flavor for flavor in self.data['flavors']}

    def open(self, fragment=''):
        self.browser.open(self.url + fragment)
        expect(self.browser.complaints() == [], 'the page has no errors', self.browser.complaints())
        asked = [url for url in self.browser.requests() if not url.startswith(self.url)]
        expect(asked == [], 'the page asks for nothing else', asked)

    def run(self, expression):
        return self.browser.run(expression)

    def click(self, selector):
        found = self.run('(() => { const e = document.querySelector(%s); if (e) e.click(); '
                         'return e !== null; })()' % json.dumps(selector))
        expect(found, 'there is %s to click' % selector)

    def fill(self, selector, value):
        self.run('(() => { const e = document.querySelector(%s); e.value = %s; '
                 'e.dispatchEvent(new Event("input", {bubbles: true})); '
                 'e.dispatchEvent(new Event("change", {bubbles: true})); })()'
                 % (json.dumps(selector), json.dumps(value)))

    def text(self, selector):
        return self.run('document.querySelector(%s)?.innerText ?? null' % json.dumps(selector))

    def shown_rules(self):
        """Those that a reader sees, by what the browser has drawn."""
        return self.run('[...document.querySelectorAll("tr.rule")].filter(r => r.offsetHeight > 0)'
                        '.map(r => r.dataset.rule)')

    def state(self, flavor, rule):
        return next(r['state'] for r in self.flavors[flavor]['rules'] if r['id'] == rule)

    def rules_in(self, *states, flavors=None):
        names = flavors or self.flavors
        return [rule['id'] for rule in self.rules
                if any(self.state(name, rule['id']) in states for name in names)]


def check_matrix(page):
    page.open()
    expect(page.run('document.title.includes("owned")') is False, 'no text of a flavor runs')
    expect(page.run('document.images.length') == 0, 'no text of a flavor becomes an element')
    expect(page.shown_rules() == [rule['id'] for rule in page.rules], 'every rule has a row')
    expect(page.run('[...document.querySelectorAll("[title]")].length > 0 && '
                    '[...document.querySelectorAll("[title]")].every('
                    'e => !/[\\u0001\\u001b\\u2028\\u202e]/.test(e.title))'),
           'attributes show what nobody would see')
    for flavor in page.flavors:
        for rule in page.rules:
            label = page.run('document.querySelector(%s).getAttribute("aria-label")' % json.dumps(
                'tr[data-rule="%s"] .cell[data-flavor="%s"]' % (rule['id'], flavor)))
            words = next(o['words'] for o in page.data['outcomes']
                         if o['name'] == page.state(flavor, rule['id']))
            expect(label == '%s on %s: %s' % (rule['id'], flavor, words), 'a cell says its state',
                   label)


def check_warnings(page):
    tone = ('getComputedStyle(document.querySelector(\'tr[data-rule="%s"] .cell .sym\'))'
            '.backgroundColor')
    expect(page.run(tone % 'A-001') != page.run(tone % 'B-001'), 'a broken SHOULD looks otherwise')


def check_filters(page):
    page.open()
    everything = [rule['id'] for rule in page.rules]
    page.fill('.tools input', 'sentence a-002')
    expect(page.shown_rules() == ['A-002'], 'words are searched', page.shown_rules())
    expect(page.text('.shown') == '1 of %d rules' % len(everything), 'how many', page.text('.shown'))
    page.fill('.tools input', 'Crashes')
    expect(page.shown_rules() == ['A-003'], 'names of cases are searched', page.shown_rules())
    page.fill('.tools input', 'there is no such thing')
    expect(page.shown_rules() == [] and 'No rule matches' in page.text('.matrix'), 'nothing is said')
    page.click('[data-clear]')
    expect(page.shown_rules() == everything, 'Clear clears')
    for state in ('crashed', 'expected_failure', 'unsupported'):
        page.click('.chip[data-outcome="%s"]' % state)
        expect(page.shown_rules() == page.rules_in(state), 'outcome', state, page.shown_rules())
        page.click('.chip[data-outcome="%s"]' % state)
    page.fill('select[name="area"]', 'D')
    expect(page.shown_rules() == ['D-001', 'D-002'], 'area', page.shown_rules())
    page.click('[data-clear]')
    page.fill('select[name="level"]', 'SHOULD')
    expect(page.shown_rules() == ['B-001'], 'level', page.shown_rules())
    page.click('[data-clear]')
    page.click('.chip[data-flavor="docker"]')
    columns = page.run('[...document.querySelectorAll("thead th")].filter(c => c.offsetWidth > 0)'
                       '.map(c => c.innerText)')
    expect(columns == ['Rule', 'docker'], 'flavor', columns)
    page.click('.card li[data-show="timeout"][data-flavor="local"] button'
               if page.run('document.querySelector(".card li[data-show=timeout]") !== null')
               else '.card li[data-show="crashed"][data-flavor="local"] button')
    expect(page.run('document.querySelectorAll(".chip[aria-pressed=true]").length') == 2,
           'a count of a card shows its rules')


def check_drill_down(page):
    page.open()
    page.click('.cell[data-flavor="docker"][aria-label^="A-001"]')
    expect(page.run('location.hash') == '#A-001/docker', 'an open cell has an address')
    detail = page.text('.detail')
    case = next(c for c in page.flavors['docker']['cases'] if c['case'] == 'Fails')
    for what in ('A-001', 'The sentence of A-001.', 'failed after 0.31 s', 'kill.cc:41',
                 'onerror=', '\\u202e', 'Seed', case['seed'], case['replay'], 'What was done'):
        expect(what in detail, 'the detail has %r' % what, detail)
    expect('other flavors' not in detail and 'kubernetes' not in page.text('.detail h4'),
           'only the flavor that was chosen')
    page.click('tr[data-rule="A-002"] .rule-name')
    expect(page.run('document.querySelectorAll(".detail").length') == 1, 'one rule is open')
    expect(page.run('document.querySelectorAll(".by-flavor").length') == len(page.flavors),
           'a rule shows all its flavors')
    hang = page.text('.by-flavor[data-flavor="docker"] [data-case="Hangs"]')
    for what in ('hung: ended at its limit after 20.0 s', 'in wait on process 77', 'ready'):
        expect(what in hang, 'a hang tells %r' % what, hang)
    error = page.text('.by-flavor[data-flavor="docker"] [data-case="Errs"]')
    for what in ('18446744073709551615', 'thrown:', 'its last line'):
        expect(what in error, 'an error tells %r' % what, error)
    page.click('[data-case="Hangs"] [data-copy]')
    expect(page.run('new Promise(done => { const b = document.querySelector('
                    '"[data-case=Hangs] [data-copy]"); const look = () => b.innerText === "Copy" '
                    '? requestAnimationFrame(look) : done(b.innerText); look(); })') == 'Copied',
           'the button says that it has copied')
    page.run('document.querySelector(".tools input").focus()')
    page.browser.paste()
    pasted = page.run('document.querySelector(".tools input").value')
    hangs = next(c for c in page.flavors['local']['cases'] if c['case'] == 'Hangs')
    expect(pasted == hangs['replay'], 'the replay line is copied', pasted)
    page.open('#A-003/kubernetes')
    expect('terminate called' in (page.text('.detail') or ''), 'an address opens its detail')
    expect(page.run('scrollY > 0'), 'and goes there')
    page.open('#%3Cimg%20src=x%20onerror=document.title=%22owned%22%3E')
    expect(page.run('document.querySelector(".detail") === null'), 'another address opens nothing')


def check_keyboard(page):
    page.open()
    page.run('document.querySelector(".cell").focus()')
    page.browser.press('ArrowDown')
    page.browser.press('ArrowRight')
    label = page.run('document.activeElement.getAttribute("aria-label")')
    second = list(page.flavors)[1]
    expect(label.startswith('%s on %s:' % (page.rules[1]['id'], second)), 'arrows move', label)
    page.run('document.activeElement.click()')
    expect(page.text('.detail') is not None, 'a button opens')
    page.browser.press('Escape')
    expect(page.text('.detail') is None, 'Escape closes')
    page.browser.press('/')
    expect(page.run('document.activeElement.name') == 'text', 'a slash goes to the search')


def check_looks(page, folder):
    backgrounds = set()
    for name, (width, height) in SIZES.items():
        for scheme in ('light', 'dark'):
            page.browser.show_as(width, height, scheme)
            page.open('#A-001/local')
            wide = page.run('document.documentElement.scrollWidth')
            expect(wide <= width, 'the page is not wider than the window', wide, width)
            backgrounds.add(page.run('getComputedStyle(document.body).backgroundColor'))
            page.browser.screenshot('%s/detail-%s-%s.png' % (folder, name, scheme))
            page.run('scrollTo(0, 0)')
            path = '%s/top-%s-%s.png' % (folder, name, scheme)
            page.browser.screenshot(path)
            size = struct.unpack('>II', pathlib.Path(path).read_bytes()[16:24])
            expect(size == (width, height), 'the screenshot has its size', size)
    expect(len(backgrounds) == 2, 'light and dark differ', backgrounds)
    # On the phone: the matrix scrolls in its box, and the rule's name stays.
    expect(page.run('(() => { const m = document.querySelector(".matrix"); m.scrollLeft = 150; '
                    'const f = document.querySelector("tr.rule .first").getBoundingClientRect(); '
                    'return m.scrollLeft > 0 && Math.abs(f.left - m.getBoundingClientRect().left)'
                    ' < 3; })()'), 'the first column stays')
    page.browser.show_as(*SIZES['wide'], media='print')
    expect(page.run('getComputedStyle(document.querySelector(".tools")).display') == 'none',
           'paper has no filters')
    page.browser.show_as(*SIZES['wide'])


def check_without_script(page, folder):
    page.browser.allow_scripts(False)
    page.browser.open(page.url)
    page.browser.allow_scripts(True)
    page.browser.screenshot('%s/no-script.png' % folder)
    # The page's own script did not run: what is there was written.
    text = page.text('body')
    expect(page.run('document.getElementById("app").childElementCount') == 0, 'no script ran')
    for what in ('Not conformant', 'Fails', 'The sentence of A-001.'):
        expect(what in text, 'without the script there is %r' % what)


def main(path, folder):
    with Chromium() as browser:
        page = Page(browser, path)
        browser.show_as(*SIZES['wide'])
        check_matrix(page)
        check_warnings(page)
        check_filters(page)
        check_drill_down(page)
        check_keyboard(page)
        check_looks(page, folder)
        check_without_script(page, folder)


if __name__ == '__main__':
    try:
        main(*sys.argv[1:])
    except (AssertionError, BrowserError) as error:
        sys.exit('check_page.py: %s' % error)
