import { applyAppearance } from '../appearance.ts';
import { createElement, createShadowHost } from '../dom.ts';
import { handleClick } from '../experience/click.ts';
import { warmExperience } from '../experience/experience.ts';
import type { Instance, Widget } from '../instance.ts';
import { translate, widgetLanguage } from '../locales/translate.ts';
import * as words from '../locales/words.ts';
import sharedCss from '../shared.css?inline';
import { widgetContent } from './content.ts';
import { watchSize } from './watch-size.ts';
import widgetCss from './widget.css?inline';

/** Creates the widget's element, rendered and without a request. */
export function createWidget(instance: Instance): Widget {
  const label = createElement('span');
  const sandboxBadge = createElement('span', { className: 'svc-sandbox' }, 'Sandbox');
  const amount = createElement('p', { className: 'svc-amount', part: 'amount' });
  const status = createElement('p', { className: 'svc-status', role: 'status' });
  // Four payments, the first one due today. Decoration: the status line says it in words.
  const payments = createElement('div', { className: 'svc-payments' });
  for (let count = 0; count < 4; count += 1) payments.append(createElement('span'));
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
      createElement(
        'div',
        { className: 'svc-balance' },
        createElement('p', { className: 'svc-label' }, label, ' ', sandboxBadge),
        amount,
        status,
        payments,
      ),
      createElement(
        'div',
        { className: 'svc-action' },
        button,
        createElement('p', { className: 'svc-terms' }, reservedTerms, terms),
      ),
    ),
  );

  // A pointer on the button, or the focus: the tenant is likely to click.
  button.onpointerenter = () => warmExperience(instance);
  button.onfocus = () => warmExperience(instance);
  button.onclick = () => {
    // Safari does not focus a clicked button, and the focus could not return here.
    button.focus();
    handleClick(instance);
  };

  const render = () => {
    const { settings, refused, busy } = instance;
    const content = widgetContent(instance);
    label.textContent = content.label;
    sandboxBadge.hidden = settings.environment !== 'sandbox';
    amount.textContent = content.amount;
    // Screen readers announce every write to a live region, even of the same text.
    if (status.textContent !== content.status) status.textContent = content.status;
    payments.classList.toggle('svc-invisible', !content.isOffer);
    caption.textContent = content.action;
    button.classList.toggle('svc-quiet', !content.isOffer);
    button.disabled = refused;
    button.ariaBusy = String(busy);
    terms.textContent = content.terms;
    reservedTerms.textContent = translate(settings, words.offerTerms);
    root.lang = widgetLanguage(settings);
    applyAppearance(root, settings.appearance);
  };
  render();
  const element = createShadowHost(root, sharedCss, widgetCss);
  return { element, render, sizeObserver: watchSize(instance, element) };
}
