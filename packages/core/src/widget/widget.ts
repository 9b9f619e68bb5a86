import { applyAppearance } from '../appearance.ts';
import { element, hostOf } from '../element.ts';
import { click, warm } from '../experience/experience.ts';
import { languageOf, say } from '../locales/say.ts';
import * as words from '../locales/words.ts';
import type { Running } from '../running.ts';
import { statusLine, usd } from './status-line.ts';

/** Makes the card: a plain element with a shadow root, so no registry and no clash of versions. */
export function buildWidget(at: Running): HTMLElement {
  const label = element('span');
  const sandbox = element('i', {}, 'Sandbox');
  const amount = element('b', { part: 'amount' });
  const parts = element('u');
  const line = element('p', { role: 'status' });
  const caption = element('span');
  const terms = element('small');
  // The tenant is about to click: a pointer is on the button, or the focus.
  const soon = () => warm(at);
  const onclick = () => {
    // Safari does not, and focus could not come back here.
    button.focus();
    click(at);
  };
  const button = element(
    'button',
    { part: 'button', onclick, onfocus: soon, onpointerenter: soon },
    caption,
  );
  const root = element(
    'div',
    {},
    element(
      'div',
      { part: 'card' },
      element('div', {}, element('p', {}, label, ' ', sandbox), amount, line, parts),
      element('div', {}, button, terms),
    ),
  );

  at.paint = () => {
    const { environment, productVariant } = at.settings;
    const { action = words.options, disabled } = at.tenant ?? {};
    const text = statusLine(at);
    label.textContent = say(at, productVariant === 'hoa' ? words.dues : words.label);
    sandbox.hidden = environment !== 'sandbox';
    terms.textContent = say(at, words.terms);
    amount.textContent = usd(at);
    parts.inert = text !== say(at, words.offer);
    // A live region speaks at each change of its text, even to the same one.
    if (line.textContent !== text) line.textContent = text;
    caption.textContent = say(at, action);
    button.disabled = !!disabled;
    button.ariaBusy = at.busy as never;
    root.lang = languageOf(at);
    applyAppearance(at, root);
  };
  at.paint();
  return hostOf(root);
}
