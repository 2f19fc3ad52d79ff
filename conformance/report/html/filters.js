// SPDX-License-Identifier: Apache-2.0
// Which rules are shown.

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
               select('level', 'All levels', ['MUST', 'SHOULD']), clear,
               el('span', {class: 'shown', role: 'status'})),
            el('div', {class: 'line chips'}, el('span', {class: 'label'}, 'Outcome'), outcomeChips()),
            flavors.length > 1
                ? el('div', {class: 'line chips'}, el('span', {class: 'label'}, 'Flavor'),
                     flavors.map((flavor) => chip(
                         wanted.flavors, {class: 'chip', 'data-flavor': flavor.flavor},
                         flavor.flavor)))
                : null);
}

function reset() {
  wanted.text = wanted.area = wanted.level = '';
  wanted.outcomes.clear();
  wanted.flavors.clear();
}
