// SPDX-License-Identifier: Apache-2.0
// Timings, links, keys, copies, paper; and the start.

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
