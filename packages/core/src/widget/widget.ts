import { element, hostOf } from '../element.ts';
import type { Running } from '../running.ts';
import type { CheckedSettings } from '../settings.ts';
import * as words from '../words.ts';
import { statusLine, usd } from './status-line.ts';

export interface Widget {
  readonly host: HTMLElement;
  /** Brings the card up to what the instance holds. */
  paint(): void;
}

/**
 * Makes the card: a plain element with a shadow root, so no registry and no clash of versions.
 * @param onfocus the tenant is about to click: a pointer is on the button, or the focus
 */
export function buildWidget(at: Running, clicked: () => void, onfocus: () => void): Widget {
  const label = element('span');
  const sandbox = element('i', {}, 'Sandbox');
  const amount = element('b', { part: 'amount' });
  const parts = element('u');
  const line = element('p', { role: 'status' });
  const caption = element('span');
  const terms = element('small');
  const onclick = () => {
    // Safari does not, and focus could not come back here.
    button.focus();
    clicked();
  };
  const button = element(
    'button',
    { part: 'button', onclick, onfocus, onpointerenter: onfocus },
    caption,
  );
  const money = element('div', {}, element('p', {}, label, ' ', sandbox));
  const act = element('div', { className: 'act' }, button, terms);
  const card = element('div', { className: 'card', part: 'card' }, money, act);
  const root = element('div', { className: 'root' }, card);
  money.append(amount, line, parts);

  const paint = () => {
    const { settings, tenant } = at;
    const { say } = settings;
    const text = statusLine(at);
    const hoa = settings.productVariant === 'hoa';
    label.textContent = say(hoa ? words.dues : words.label);
    sandbox.hidden = settings.environment !== 'sandbox';
    terms.textContent = say(words.terms);
    amount.textContent = usd(at);
    parts.style.opacity = text === say(words.offer) ? '1' : '0';
    // A live region speaks at each change of its text, even to the same one.
    if (line.textContent !== text) line.textContent = text;
    caption.textContent = say(tenant?.state === 'has_plan' ? words.plan : words.options);
    button.disabled = tenant?.state === 'unavailable';
    button.ariaBusy = `${!!at.active}`;
    root.lang = settings.language;
    applyAppearance(root, settings);
  };
  return { host: hostOf(root), paint };
}

/** Theme and custom properties, set by CSSOM: no style attribute, so no CSP can refuse it. */
export function applyAppearance({ style }: HTMLElement, { appearance }: CheckedSettings): void {
  style.cssText = '';
  style.colorScheme = appearance?.theme?.replace('auto', '') ?? '';
  const variables: Record<string, string | undefined> = appearance?.variables ?? {};
  for (const name in variables) style.setProperty(`--svc-${name}`, variables[name] ?? '');
}
