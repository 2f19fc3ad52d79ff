// SPDX-License-Identifier: Apache-2.0
// The matrix: a row per rule, a column per flavor, and the row that is open.

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

function cell(flavor, rule) {
  const result = resultOf(flavor, rule);
  const said = result.selected ? words(result.state) : 'not selected';
  const td = el('td', {'data-flavor': flavor.flavor});
  if (!result.selected) {
    td.append(el('span', {class: 'unseen'}, said));
    return td;
  }
  const button = el('button', {
    class: 'cell ' + look(result.state, rule.level === 'MUST'), type: 'button', 'aria-expanded': 'false',
    'data-flavor': flavor.flavor, 'aria-label': rule.id + ' on ' + flavor.flavor + ': ' + said,
    title: flavor.flavor + ': ' + said + (result.reason ? ' – ' + result.reason : ''),
  }, symbol(result.state, rule.level === 'MUST'));
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
