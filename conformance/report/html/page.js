// SPDX-License-Identifier: Apache-2.0
// The matrix of the HTML report: filters, drill-down, deep links. The data are those of
// conformance.json, and hostile: text goes into the page as text alone (`append`, `textContent`).
(() => {
  'use strict';

  const data = JSON.parse(document.getElementById('data').textContent);
  const root = document.getElementById('app');
  const looks = new Map(data.outcomes.map((outcome) => [outcome.name, outcome]));
  const rules = data.rules.filter((rule, i) => data.flavors.some((f) => f.rules[i].selected));
  const places = new Map(data.rules.map((rule, i) => [rule.id, i]));
  const flavors = data.flavors.map((flavor) => ({
    ...flavor,
    byName: new Map(flavor.cases.map((result) => [result.case, result])),
  }));
  const bad = new Set(['crashed', 'timeout', 'error', 'failed', 'unexpected_pass', 'no_case']);
  const wanted = {text: '', area: '', level: '', outcomes: new Set(), flavors: new Set()};
  /** The rule that is open, and the one flavor of it that was chosen, or null. */
  let opened = null;

  // ---- Text.

  /** What a reader could not see, or what would turn the direction of text, is spelled out. */
  function clean(text) {
    const hidden =
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;
    return String(text).replace(hidden, (c) => {
      const code = c.charCodeAt(0).toString(16);
      return code.length > 2 ? '\\u' + code.padStart(4, '0') : '\\x' + code.padStart(2, '0');
    });
  }

  function duration(ms) {
    if (ms < 10000) return (ms / 1000).toFixed(2) + ' s';
    if (ms < 120000) return (ms / 1000).toFixed(1) + ' s';
    const seconds = Math.floor(ms / 1000);
    return Math.floor(seconds / 60) + ' min ' + String(seconds % 60).padStart(2, '0') + ' s';
  }

  const plural = (count, word) => count + ' ' + word + (count === 1 ? '' : 's');

  /** An element; strings among the children become text, null is left out. */
  function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === true) element.setAttribute(name, '');
      else if (value !== false && value !== null) element.setAttribute(name, clean(value));
    }
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === '') continue;
      element.append(child instanceof Node ? child : clean(child));
    }
    return element;
  }

  function symbol(outcome) {
    return el('span', {class: 'sym o-' + outcome, 'aria-hidden': 'true'},
              looks.get(outcome).symbol);
  }

  /** A sentence of the contract: what stands between backquotes is code. */
  function sentence(text) {
    return text.split('`').map((part, i) => i % 2 === 1 ? el('code', null, part) : part);
  }

  /** Names of cases are long words: they may be broken where a capital begins. */
  function caseName(name) {
    const parts = name.split(/(?<=[a-z0-9])(?=[A-Z])/);
    return el('b', null, parts.map((part, i) => i > 0 ? [el('wbr'), part] : part));
  }

  const words = (outcome) => looks.get(outcome).words;

  const resultOf = (flavor, rule) => flavor.rules[places.get(rule.id)];

  // ---- One case.

  function part(title, ...children) {
    return el('div', null, el('h5', null, title), ...children);
  }

  function replayBox(line) {
    return el('div', {class: 'replay'}, el('code', null, line),
              el('button', {class: 'button', type: 'button', 'data-copy': true}, 'Copy'));
  }

  function factsOf(result) {
    const fact = (name, value) => el('div', null, el('dt', null, name), el('dd', null, value));
    const others = result.rules.slice(1);
    return el('dl', {class: 'fact-line'},
              fact('Took', duration(result.duration_ms)),
              result.limit_ms > 0 ? fact('Limit', duration(result.limit_ms)) : null,
              fact('Assertions', String(result.assertions)),
              result.seed === null ? null : fact('Seed', result.seed),
              others.length > 0 ? fact('Also of', others.join(', ')) : null);
  }

  function assertionsOf(result) {
    if (result.failures.length === 0) return null;
    return part(result.failures.length === 1 ? 'Failed assertion' : 'Failed assertions',
                result.failures.map((failure) => el(
                    'div', null,
                    failure.file ? el('p', {class: 'place'}, failure.file + ':' + failure.line) : '',
                    el('pre', null, failure.message))));
  }

  function waitsOf(result) {
    if (result.waits.length === 0 && result.outcome !== 'timeout') return null;
    if (result.waits.length === 0) {
      return part('When it was ended', el('p', null, 'No verb of the contract was in progress.'));
    }
    const longest = [...result.waits].sort((a, b) => b.for_ms - a.for_ms);
    return part('When it was ended', el('ul', {class: 'waits'}, longest.map((wait) => el(
        'li', null, 'waited ' + duration(wait.for_ms) + ' in ', el('code', null, wait.verb),
        wait.object ? ' on ' + wait.object : '',
        wait.file ? el('span', {class: 'place muted'}, ' at ' + wait.file + ':' + wait.line) : '',
        wait.last_bytes ? el('pre', null, 'last bytes: ' + wait.last_bytes)
                        : ', no bytes seen'))));
  }

  function endingOf(result) {
    const after = duration(result.duration_ms);
    if (result.outcome === 'timeout') {
      return (result.timeout === 'no_progress' ? 'hung: no progress, ended after '
                                               : 'hung: ended at its limit after ') + after;
    }
    if (result.outcome === 'crashed') return 'crashed after ' + after + ': ' + (result.status || '');
    const ran = result.seed !== null;
    return words(result.outcome) + (ran ? ' after ' + after : '');
  }

  function caseBody(result) {
    const list = (items) => el('ol', null, items.map((item) => el('li', null, item)));
    return el('div', {class: 'body'},
              factsOf(result),
              result.reason ? part('Why', el('pre', null, result.reason)) : null,
              result.deviation ? part('Declared deviation', el('p', null, result.deviation)) : null,
              assertionsOf(result),
              waitsOf(result),
              result.notes.length > 0 ? part('What was done', list(result.notes)) : null,
              result.stderr ? part('Last lines of the worker', el('pre', null, result.stderr)) : null,
              result.leftovers.length > 0 ? part('Left behind, and removed', list(result.leftovers))
                                          : null,
              result.replay ? part('Replay', replayBox(result.replay)) : null);
  }

  /** The body is made when it is first looked at. */
  function caseView(result) {
    const view = el('details', {class: 'case o-' + result.outcome, 'data-case': result.case},
                    el('summary', null, symbol(result.outcome), caseName(result.case), ' ',
                       el('span', {class: 'ending'}, endingOf(result))));
    const fill = () => {
      if (view.open && view.childElementCount === 1) view.append(caseBody(result));
    };
    view.addEventListener('toggle', fill);
    view.open = bad.has(result.outcome);
    fill();
    return view;
  }

  // ---- One rule.

  const worstFirst = (results) =>
      [...results].sort((a, b) => bad.has(b.outcome) - bad.has(a.outcome));

  function flavorView(flavor, rule) {
    const result = resultOf(flavor, rule);
    return el('section', {class: 'by-flavor o-' + result.state, 'data-flavor': flavor.flavor},
              el('h4', null, symbol(result.state), flavor.flavor,
                 el('span', {class: 'state'}, words(result.state))),
              result.reason && !result.cases.some((name) => bad.has(flavor.byName.get(name).outcome))
                  ? el('p', {class: 'muted'}, result.reason) : null,
              worstFirst(result.cases.map((name) => flavor.byName.get(name))).map(caseView));
  }

  function ruleView(rule, chosen) {
    const close = el('button', {class: 'button', type: 'button'}, 'Close');
    close.addEventListener('click', () => {
      const row = rowOf(rule.id);
      shut();
      row.querySelector('.rule-name').focus();
    });
    const all = el('button', {class: 'button', type: 'button'}, 'All flavors');
    all.addEventListener('click', () => open(rule.id, null));
    const needs = [
      ...rule.capabilities.map((name) => 'claims ' + name),
      ...(rule.unless ? ['does not claim ' + rule.unless] : []),
      ...rule.needs.map((name) => 'has ' + name),
    ];
    const shownFlavors = flavors.filter((f) => chosen === null ? isShown(f) : f.flavor === chosen);
    return el('div', {class: 'inner'},
              el('div', {class: 'top'},
                 el('div', {class: 'about'},
                    el('p', null, el('b', null, rule.id), ' ' + rule.level + '. ', sentence(rule.sentence)),
                    needs.length > 0
                        ? el('p', {class: 'muted'}, 'For a flavor that ' + needs.join(', ') + '.')
                        : null),
                 el('div', {class: 'ways'}, chosen !== null && flavors.length > 1 ? all : null, close)),
              shownFlavors.map((flavor) => flavorView(flavor, rule)));
  }

  const rowOf = (id) => root.querySelector('tr.rule[data-rule="' + CSS.escape(id) + '"]');

  function shut() {
    if (opened === null) return;
    const row = rowOf(opened.id);
    row.removeAttribute('aria-current');
    row.nextElementSibling.remove();
    for (const button of row.querySelectorAll('button')) button.setAttribute('aria-expanded', 'false');
    opened = null;
    history.replaceState(null, '', location.pathname + location.search);
  }

  function open(id, flavor) {
    shut();
    const rule = rules.find((candidate) => candidate.id === id);
    const row = rowOf(id);
    if (!rule || !row) return null;
    opened = {id, flavor};
    row.setAttribute('aria-current', 'true');
    const button = flavor === null
        ? row.querySelector('.rule-name')
        : row.querySelector('.cell[data-flavor="' + CSS.escape(flavor) + '"]');
    if (button) button.setAttribute('aria-expanded', 'true');
    row.after(el('tr', {class: 'detail'},
                 el('td', {colspan: String(flavors.length + 1)}, ruleView(rule, flavor))));
    const parts = flavor === null ? [id] : [id, flavor];
    history.replaceState(null, '', '#' + parts.map(encodeURIComponent).join('/'));
    return row;
  }

  function toggle(id, flavor) {
    const same = opened !== null && opened.id === id && opened.flavor === flavor;
    if (same) shut();
    else open(id, flavor);
  }

  // ---- The matrix.

  function cell(flavor, rule) {
    const result = resultOf(flavor, rule);
    const said = result.selected ? words(result.state) : 'not selected';
    const td = el('td', {'data-flavor': flavor.flavor});
    if (!result.selected) {
      td.append(el('span', {class: 'unseen'}, said));
      return td;
    }
    const button = el('button', {
      class: 'cell o-' + result.state, type: 'button', 'aria-expanded': 'false',
      'data-flavor': flavor.flavor, 'aria-label': rule.id + ' on ' + flavor.flavor + ': ' + said,
      title: flavor.flavor + ': ' + said + (result.reason ? ' – ' + result.reason : ''),
    }, symbol(result.state));
    button.addEventListener('click', () => toggle(rule.id, flavor.flavor));
    td.append(button);
    return td;
  }

  function ruleRow(rule) {
    const name = el('button', {class: 'rule-name', type: 'button', 'aria-expanded': 'false'},
                    el('span', {class: 'id'}, rule.id),
                    rule.level === 'SHOULD' ? el('span', {class: 'level'}, 'SHOULD') : null, ' ',
                    el('span', {class: 'sentence'}, sentence(rule.sentence)));
    name.addEventListener('click', () => toggle(rule.id, null));
    return el('tr', {class: 'rule', id: rule.id, 'data-rule': rule.id},
              el('th', {scope: 'row', class: 'first'}, name),
              flavors.map((flavor) => cell(flavor, rule)));
  }

  function areaBody(area) {
    const own = rules.filter((rule) => rule.area === area);
    const tally = (flavor) => {
      const results = own.map((rule) => resultOf(flavor, rule)).filter((r) => r.selected);
      const apply = results.filter((r) => r.state !== 'unsupported' && r.state !== 'not_observable');
      const hold = apply.filter((r) => r.state === 'passed').length;
      return el('td', {'data-flavor': flavor.flavor},
                apply.length === 0 ? '–' : hold + '/' + apply.length);
    };
    return el('tbody', {'data-area': area},
              el('tr', {class: 'area'},
                 el('th', {scope: 'rowgroup', class: 'first'}, area), flavors.map(tally)),
              own.map(ruleRow));
  }

  function matrix() {
    const head = el('tr', null, el('th', {scope: 'col', class: 'first'}, 'Rule'),
                    flavors.map((flavor) => el('th', {scope: 'col', 'data-flavor': flavor.flavor},
                                               flavor.flavor)));
    const areas = [...new Set(rules.map((rule) => rule.area))];
    return el('div', {class: 'matrix', tabindex: '0', role: 'region', 'aria-label': 'Rules by flavor'},
              el('table', null,
                 el('caption', {class: 'unseen'},
                    'The state of each rule on each flavor. A button opens the cases.'),
                 el('thead', null, head), areas.map(areaBody)),
              el('p', {class: 'none', hidden: true}, 'No rule matches the filters.'));
  }

  // ---- Filters.

  const isShown = (flavor) => wanted.flavors.size === 0 || wanted.flavors.has(flavor.flavor);

  /** All that a person may remember of a rule. */
  const haystacks = new Map(rules.map((rule) => {
    const text = [rule.id, rule.sentence];
    for (const flavor of flavors) {
      const result = resultOf(flavor, rule);
      text.push(result.reason);
      for (const name of result.cases) {
        const found = flavor.byName.get(name);
        text.push(name, found.reason, found.status || '', ...found.failures.map((f) => f.message));
      }
    }
    return [rule.id, text.join('\n').toLowerCase()];
  }));

  function matches(rule) {
    if (wanted.area && rule.area !== wanted.area) return false;
    if (wanted.level && rule.level !== wanted.level) return false;
    const states = flavors.filter(isShown).map((flavor) => resultOf(flavor, rule))
        .filter((result) => result.selected);
    if (states.length === 0) return false;
    if (wanted.outcomes.size > 0 && !states.some((r) => wanted.outcomes.has(r.state))) return false;
    return wanted.text.split(/\s+/).every((word) => haystacks.get(rule.id).includes(word));
  }

  function apply() {
    let shown = 0;
    for (const body of root.querySelectorAll('tbody')) {
      let any = false;
      for (const row of body.querySelectorAll('tr.rule')) {
        const fits = matches(data.rules[places.get(row.dataset.rule)]);
        if (!fits && opened !== null && opened.id === row.dataset.rule) shut();
        row.hidden = !fits;
        any = any || fits;
        shown += fits ? 1 : 0;
      }
      body.hidden = !any;
    }
    for (const place of root.querySelectorAll('th[data-flavor], td[data-flavor]')) {
      place.hidden = !isShown({flavor: place.dataset.flavor});
    }
    root.querySelector('.none').hidden = shown > 0;
    root.querySelector('.shown').textContent =
        shown === rules.length ? plural(shown, 'rule') : shown + ' of ' + plural(rules.length, 'rule');
    for (const chip of root.querySelectorAll('.chip')) {
      const set = chip.dataset.outcome ? wanted.outcomes : wanted.flavors;
      chip.setAttribute('aria-pressed', String(set.has(chip.dataset.outcome || chip.dataset.flavor)));
    }
    root.querySelector('[name="area"]').value = wanted.area;
    root.querySelector('[name="level"]').value = wanted.level;
  }

  function chip(set, attributes, ...children) {
    const button = el('button', {type: 'button', 'aria-pressed': 'false', ...attributes}, ...children);
    const value = attributes['data-outcome'] || attributes['data-flavor'];
    button.addEventListener('click', () => {
      if (!set.delete(value)) set.add(value);
      apply();
    });
    return button;
  }

  function select(name, label, values) {
    const box = el('select', {name, 'aria-label': label}, el('option', {value: ''}, label),
                   values.map((value) => el('option', {value}, value)));
    box.addEventListener('change', () => {
      wanted[name] = box.value;
      apply();
    });
    return box;
  }

  function outcomeChips() {
    const counts = new Map();
    for (const flavor of flavors) {
      for (const [state, count] of Object.entries(flavor.rule_counts)) {
        counts.set(state, (counts.get(state) || 0) + count);
      }
    }
    return data.outcomes.filter((outcome) => counts.get(outcome.name) > 0).map((outcome) => chip(
        wanted.outcomes, {class: 'chip o-' + outcome.name, 'data-outcome': outcome.name},
        symbol(outcome.name), outcome.words, el('span', {class: 'n'}, counts.get(outcome.name))));
  }

  function tools() {
    const search = el('input', {
      type: 'search', name: 'text', placeholder: 'Search rules, cases, messages',
      'aria-label': 'Search rules, cases and messages', autocomplete: 'off', spellcheck: 'false',
    });
    search.addEventListener('input', () => {
      wanted.text = search.value.trim().toLowerCase();
      apply();
    });
    const clear = el('button', {class: 'button', type: 'button', 'data-clear': true}, 'Clear');
    clear.addEventListener('click', () => {
      search.value = '';
      reset();
      apply();
    });
    const areas = [...new Set(rules.map((rule) => rule.area))];
    return el('div', {class: 'tools', role: 'search', 'aria-label': 'Filter the rules'},
              el('div', {class: 'line'}, search, select('area', 'All areas', areas),
                 select('level', 'All levels', ['MUST', 'SHOULD']), clear),
              el('div', {class: 'line chips'}, el('span', {class: 'label'}, 'Outcome'), outcomeChips()),
              el('div', {class: 'line chips'},
                 flavors.length > 1 ? [el('span', {class: 'label'}, 'Flavor'),
                   flavors.map((flavor) => chip(
                       wanted.flavors, {class: 'chip', 'data-flavor': flavor.flavor}, flavor.flavor))]
                                    : [],
                 el('span', {class: 'shown', role: 'status'})));
  }

  function reset() {
    wanted.text = wanted.area = wanted.level = '';
    wanted.outcomes.clear();
    wanted.flavors.clear();
  }

  // ---- Timings.

  function slowest() {
    const kShown = 15;
    const all = flavors.flatMap((flavor) => flavor.cases.map((result) => ({flavor, result})));
    const ran = all.filter((entry) => entry.result.duration_ms > 0)
        .sort((a, b) => b.result.duration_ms - a.result.duration_ms).slice(0, kShown);
    if (ran.length === 0) return null;
    return el('details', {class: 'slowest'}, el('summary', null, 'The slowest cases'),
              el('ol', null, ran.map(({flavor, result}) => el(
                  'li', null, el('span', null, duration(result.duration_ms)),
                  el('a', {href: '#' + [result.rules[0], flavor.flavor].map(encodeURIComponent).join('/')},
                     result.case + ' on ' + flavor.flavor)))));
  }

  // ---- Links, keys, copies, paper.

  function follow() {
    let parts;
    try {
      parts = location.hash.slice(1).split('/').map(decodeURIComponent);
    } catch {
      return;
    }
    const [id, flavor] = parts;
    if (!places.has(id) || (opened !== null && opened.id === id && opened.flavor === (flavor || null))) {
      return;
    }
    const known = flavors.some((candidate) => candidate.flavor === flavor);
    reset();
    root.querySelector('input').value = '';
    apply();
    const row = open(id, known ? flavor : null);
    if (row) row.scrollIntoView({block: 'start'});
  }

  async function copy(button) {
    const code = button.parentElement.querySelector('code');
    let done = false;
    try {
      await navigator.clipboard.writeText(code.textContent);
      done = true;
    } catch {
      // Not in every place that a file is opened from.
      getSelection().selectAllChildren(code);
      done = document.execCommand('copy');
    }
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  }

  /** Arrows move through the matrix as through a table. */
  function move(event) {
    const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
    const step = steps[event.key];
    const row = event.target.closest('tr.rule');
    if (!step || !row || event.altKey || event.ctrlKey || event.metaKey) return;
    const rows = [...root.querySelectorAll('tr.rule')].filter((r) => !r.hidden && !r.parentElement.hidden);
    const buttons = (r) => [...r.children].filter((place) => !place.hidden)
        .map((place) => place.querySelector('button'));
    const target = rows[rows.indexOf(row) + step[0]];
    const column = buttons(row).indexOf(event.target.closest('button')) + step[1];
    const button = target && buttons(target)[column];
    if (!button) return;
    event.preventDefault();
    button.focus();
  }

  function keys(event) {
    const writing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === '/' && !writing) {
      event.preventDefault();
      root.querySelector('input').focus();
    } else if (event.key === 'Escape' && opened !== null && !writing) {
      const row = rowOf(opened.id);
      shut();
      row.querySelector('.rule-name').focus();
    } else {
      move(event);
    }
  }

  /** The counts of the cards show their rules. */
  function wireCards() {
    for (const item of document.querySelectorAll('[data-show]')) {
      const button = el('button', {type: 'button', title: 'Show these rules'});
      button.append(...item.childNodes);
      item.append(button);
      button.addEventListener('click', () => {
        reset();
        root.querySelector('input').value = '';
        wanted.outcomes.add(item.dataset.show);
        wanted.flavors.add(item.dataset.flavor);
        apply();
        root.scrollIntoView();
      });
    }
  }

  root.append(tools(), matrix(), slowest() || '');
  apply();
  wireCards();
  for (const button of document.querySelectorAll('.failure [data-copy]')) button.hidden = false;
  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-copy]');
    if (button) copy(button);
  });
  document.addEventListener('keydown', keys);
  addEventListener('hashchange', follow);
  addEventListener('beforeprint', () => {
    for (const failure of document.querySelectorAll('.failure')) failure.open = true;
  });
  follow();
})();
