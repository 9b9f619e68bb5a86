import { createElement, createShadowHost } from '../dom.ts';
import type { Experience, Instance, Phase } from '../instance.ts';
import { translate, widgetLanguage } from '../locales/translate.ts';
import * as words from '../locales/words.ts';
import sharedCss from '../shared.css?inline';
import dialogCss from './dialog.css?inline';

interface Handlers {
  /** The tenant closed the dialog, by the button or by Escape. */
  onDismiss(): void;
  /** The tenant pressed the phone's back button. */
  onBack(): void;
  onRetry(): void;
}

/** Adds the closed dialog to the page, with a frame that has started loading. */
export function createDialog(
  instance: Instance,
  { onDismiss, onBack, onRetry }: Handlers,
): Experience {
  const { settings } = instance;
  const closeButton = createElement(
    'button',
    { className: 'svc-close', ariaLabel: translate(settings, words.close), onclick: onDismiss },
    '×',
  );
  const iframe = createFrame(instance);
  const skeleton = createElement('div', { className: 'svc-skeleton' });
  const failureMessage = createElement(
    'section',
    { className: 'svc-failure', role: 'alert' },
    createElement('h2', {}, translate(settings, words.loadFailed)),
    createElement('p', {}, translate(settings, words.loadFailedHint)),
    createElement(
      'button',
      { className: 'svc-button', onclick: onRetry },
      translate(settings, words.retry),
    ),
  );
  const dialog = createElement(
    'dialog',
    { ariaLabel: translate(settings, words.dialogTitle), lang: widgetLanguage(settings) },
    closeButton,
    skeleton,
    iframe,
    createTabStop(closeButton),
  );
  const experience: Experience = {
    host: createShadowHost(dialog, sharedCss, dialogCss),
    dialog,
    iframe,
    failureMessage,
    channel: undefined,
    phase: 'loading',
    token: null,
    step: null,
    canGoBack: false,
    renewing: false,
    loadTimer: undefined,
    opening: undefined,
    reportClosed: undefined,
  };
  setPhase(experience, 'loading');
  // Android's back button asks a dialog to close before it touches the history. Elsewhere only Escape asks,
  // and it closes the dialog. If there was no click since the last time, the browser closes without asking.
  dialog.oncancel = (event) => {
    if (!event.cancelable || !/Android/.test(navigator.userAgent)) return;
    event.preventDefault();
    onBack();
  };
  // `close` also fires after Escape. It fires a task late: by then the page may have opened the
  // dialog again, or replaced it.
  dialog.onclose = () => {
    if (instance.experience === experience && !dialog.open) onDismiss();
  };
  // An open dialog of the page makes everything outside it inert, so ours goes inside. Otherwise it is
  // outside of the body, where no morph removes it and no snapshot of the body contains it.
  const pageDialog = instance.widget?.element.closest('dialog[open],[aria-modal=true]');
  (pageDialog ?? document.documentElement).append(experience.host);
  return experience;
}

/**
 * Tab leaves the frame at its end and continues in the browser's own interface, then at the close
 * button. Firefox gets stuck at the end of the frame instead; there, this stop moves the focus on.
 */
function createTabStop(closeButton: HTMLElement): HTMLElement {
  const isFirefox = 'InternalError' in window;
  return createElement('span', {
    className: 'svc-tab-stop',
    tabIndex: isFirefox ? 0 : -1,
    onfocus: () => closeButton.focus(),
  });
}

/** Creates the frame. Its URL names the partner and nothing else. Tenant, signature and token go over the port. */
function createFrame({ settings, serviceOrigin }: Instance): HTMLIFrameElement {
  return createElement('iframe', {
    title: translate(settings, words.dialogTitle),
    src: `${serviceOrigin}/experience/${settings.pms}`,
  });
}

/** Loads a new frame in place of the old one. Setting `src` again would add a history entry. */
export function replaceFrame(instance: Instance, experience: Experience): void {
  const iframe = createFrame(instance);
  experience.iframe.replaceWith(iframe);
  experience.iframe = iframe;
}

/** Shows the placeholder, the frame, or the error message. Ends the load timer. */
export function showPhase(experience: Experience, phase: Phase): void {
  clearTimeout(experience.loadTimer);
  setPhase(experience, phase);
  const { iframe, failureMessage } = experience;
  iframe.inert = phase !== 'shown';
  // Added only when it is needed: screen readers announce an alert that appears.
  if (phase === 'failed') iframe.after(failureMessage);
  else failureMessage.remove();
  iframe.focus();
}

/** Sets the phase, and the attribute by which dialog.css shows and hides. */
export function setPhase(experience: Experience, phase: Phase): void {
  experience.phase = phase;
  experience.dialog.dataset.phase = phase;
}
