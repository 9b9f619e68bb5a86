import { applyAppearance } from '../appearance.ts';
import { createElement, createShadowHost } from '../dom.ts';
import { handleClick, handleHint } from '../experience/click.ts';
import type { Instance, Widget } from '../instance.ts';
import { translate, widgetLanguage } from '../locales/translate.ts';
import * as words from '../locales/words.ts';
import sharedCss from '../shared.css?inline';
import { type Content, widgetContent } from './content.ts';
import { watchSize } from './watch-size.ts';
import widgetCss from './widget.css?inline';

/** Creates the widget's element, rendered and without a request. */
export function createWidget(instance: Instance): Widget {
  const label = createElement('p', { className: 'svc-label' });
  const sandboxBadge = createElement('span', { className: 'svc-sandbox' });
  const headline = createElement('p', { className: 'svc-amount', part: 'amount' });
  const status = createElement('p', { className: 'svc-status' });
  // One segment for each payment. It is decoration, because the status line says it in words.
  const payments = createElement('div', { className: 'svc-payments' });
  const details = createElement('ul', { className: 'svc-details' });
  const caption = createElement('span', { className: 'svc-caption' });
  const button = createElement('button', { className: 'svc-button', part: 'button' }, caption);
  const terms = createElement('span');
  // The offer's terms are the longest: their height is reserved, so that another state moves nothing.
  const reservedTerms = createElement('span', { className: 'svc-reserved', ariaHidden: 'true' });

  const root = createElement(
    'div',
    { className: 'svc-widget' },
    createElement(
      'div',
      { className: 'svc-card', part: 'card' },
      sandboxBadge,
      createElement(
        'div',
        // A change of state is announced as a whole: "Balance $50.00. Next payment: Mar 8."
        { className: 'svc-balance', role: 'status' },
        label,
        headline,
        status,
      ),
      payments,
      createElement('div', { className: 'svc-spare' }, details),
      createElement(
        'div',
        { className: 'svc-action' },
        button,
        createElement('p', { className: 'svc-terms' }, reservedTerms, terms),
      ),
    ),
  );

  button.onpointerenter = () => handleHint(instance);
  button.onfocus = () => handleHint(instance);
  button.onclick = () => {
    // Safari does not focus a clicked button, and the focus could not return here.
    button.focus();
    handleClick(instance);
  };

  let shownDetails = '';
  const render = () => {
    const { settings, refused, busy } = instance;
    const content = widgetContent(instance);
    setText(label, content.label);
    setText(sandboxBadge, translate(settings, words.sandbox));
    sandboxBadge.hidden = settings.environment !== 'sandbox';
    setText(headline, content.headline);
    headline.classList.toggle('svc-sentence', content.isSentence);
    setText(status, content.status);
    showPayments(payments, content.payments);
    // A click renders twice without changing the details.
    const newDetails = JSON.stringify(content.details);
    if (newDetails !== shownDetails) details.replaceChildren(...content.details.map(createRow));
    shownDetails = newDetails;
    setText(caption, content.action);
    button.classList.toggle('svc-quiet', !content.isPrimary);
    button.disabled = refused;
    button.ariaBusy = String(busy);
    terms.textContent = content.terms;
    reservedTerms.textContent = translate(settings, words.offerTerms);
    root.lang = widgetLanguage(settings);
    applyAppearance(root, settings.appearance);
  };
  render();
  removeClones();
  const element = createShadowHost(root, sharedCss, widgetCss);
  element.dataset.svcWidget = '';
  return { element, render, stopWatchingSize: watchSize(instance, element) };
}

/** Removes the empty elements that a cloned page has in place of its widgets. Turbo clones pages for its cache. */
function removeClones(): void {
  for (const element of document.querySelectorAll('[data-svc-widget]')) {
    if (!element.shadowRoot) element.remove();
  }
}

/** Sets the text if it has changed: screen readers announce every write to a live region, even of the same text. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Updates the bar. A segment that stays fills up when its payment arrives. If the number of payments changes,
 * the bar gets new elements: segments that change their places would be a layout shift.
 */
function showPayments(bar: HTMLElement, states: Content['payments']): void {
  const segments = states.map(createSegment);
  if (bar.childElementCount !== states.length) bar.replaceChildren(...segments);
  for (const [index, { className }] of segments.entries()) {
    (bar.children[index] as Element).className = className;
  }
}

function createSegment(state: string): HTMLElement {
  return createElement('i', { className: `svc-${state}` });
}

function createRow({
  text,
  state,
  isPoint,
  isExtra,
  isFar,
}: Content['details'][number]): HTMLElement {
  const row = createElement('li');
  if (isPoint) row.classList.add('svc-tick');
  if (isExtra) row.classList.add('svc-extra');
  if (isFar) row.classList.add('svc-far');
  if (state) row.append(createSegment(state.name), text, createElement('b', {}, state.text));
  else row.append(text);
  return row;
}
