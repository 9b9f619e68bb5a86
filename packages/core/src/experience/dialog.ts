import { element, hostOf } from '../element.ts';
import { languageOf, say } from '../locales/say.ts';
import * as words from '../locales/words.ts';
import { failed, type Phase, type Running, shown } from '../running.ts';

/** Makes the dialog around the frame, with nothing of the session in it. */
export function buildDialog(at: Running, dismissed: () => void, retried: () => void) {
  const onclick = () => dismissed();
  const close = element('button', { ariaLabel: say(at, words.close), onclick }, '×');
  // Gecko alone never comes back from the frame by Tab: there this end stop sends it on.
  const tabIndex = 'InternalError' in window ? 0 : -1;
  at.end = element('a', { tabIndex, onfocus: () => close.focus() });
  at.failure = element(
    'section',
    { role: 'alert' },
    element('b', {}, say(at, words.failed)),
    element('p', {}, say(at, words.failedHint)),
    element('button', { onclick: retried }, say(at, words.retry)),
  );
  const dialog = element(
    'dialog',
    { ariaLabel: say(at, words.title), lang: languageOf(at) },
    close,
    at.end,
  );
  // After Escape too. Late by a task: by then the page may have opened it again, or let it go.
  dialog.onclose = () => dialog === at.dialog && !dialog.open && dismissed();
  at.dialog = dialog;
  at.shell = hostOf(dialog);
  // Inside an open dialog of the page, else it would be out of reach.
  const around = at.host?.closest('dialog[open],[aria-modal=true]') ?? document.body;
  around.append(at.shell);
}

/** Loads a new frame in place of the old one: setting `src` again would add a history entry. */
export function renewFrame(at: Running): void {
  at.frame?.remove();
  at.frame = element('iframe', {
    title: say(at, words.title),
    src: `${at.origin}/experience/${at.settings.pms}`,
  });
  at.end.before(at.frame);
}

/** The frame when it is ready, else the shape of what comes, or what went wrong with a retry. */
export function show(at: Running, phase: Phase): void {
  clearTimeout(at.timer);
  at.phase = phase;
  at.frame.inert = phase !== shown;
  if (phase === failed) at.end.before(at.failure);
  else at.failure.remove();
  at.frame.focus();
}
