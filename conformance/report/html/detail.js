// SPDX-License-Identifier: Apache-2.0
// The drill-down: all that is known of one case, and of one rule.

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
            result.deviation ? part(result.known_failure === null ? 'Declared deviation' : 'Known failure', el('p', null, result.deviation)) : null,
            assertionsOf(result),
            waitsOf(result),
            result.notes.length > 0 ? part('What was done', list(result.notes)) : null,
            result.stderr ? part('Last lines of the worker', el('pre', null, result.stderr)) : null,
            result.leftovers.length > 0 ? part('Left behind, and removed', list(result.leftovers))
                                        : null,
            result.replay ? part('Replay', replayBox(result.replay)) : null);
}

/** The body is made when it is first looked at. */
function caseView(result, must) {
  const view = el('details', {class: 'case ' + look(result.outcome, must), 'data-case': result.case},
                  el('summary', null, symbol(result.outcome, must), caseName(result.case), ' ',
                     el('span', {class: 'ending'}, endingOf(result))));
  const fill = () => {
    if (view.open && view.childElementCount === 1) view.append(caseBody(result));
  };
  view.addEventListener('toggle', fill);
  view.open = bad.has(result.outcome);
  fill();
  return view;
}

const worstFirst = (results) =>
    [...results].sort((a, b) => bad.has(b.outcome) - bad.has(a.outcome));

function flavorView(flavor, rule) {
  const result = resultOf(flavor, rule);
  const must = rule.level === 'MUST';
  return el('section', {class: 'by-flavor ' + look(result.state, must), 'data-flavor': flavor.flavor},
            el('h4', null, symbol(result.state, must), flavor.flavor,
               el('span', {class: 'state'}, words(result.state))),
            result.reason && !result.cases.some((name) => bad.has(flavor.byName.get(name).outcome))
                ? el('p', {class: 'muted'}, result.reason) : null,
            worstFirst(result.cases.map((name) => flavor.byName.get(name))).map(
                (found) => caseView(found, must)));
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
