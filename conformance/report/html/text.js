// SPDX-License-Identifier: Apache-2.0
// The data of the page, and how text becomes elements. The data are those of conformance.json,
// and hostile: text goes into the page as text alone (`append`, `textContent`).

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

/** What breaks a SHOULD is a warning. */
const look = (outcome, must = true) =>
    'o-' + outcome + (!must && bad.has(outcome) ? ' o-warning' : '');

function symbol(outcome, must = true) {
  return el('span', {class: 'sym ' + look(outcome, must), 'aria-hidden': 'true'},
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
