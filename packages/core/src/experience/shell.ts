import { element, hostOf } from '../element.ts';
import { failed, type Phase, shown } from '../running.ts';
import type { CheckedSettings } from '../settings.ts';
import { applyAppearance } from '../widget/widget.ts';
import * as words from '../words.ts';

/** The dialog around the frame, with nothing of the session in it. */
export interface Shell {
  readonly host: HTMLElement;
  readonly dialog: HTMLDialogElement;
  /** Loads a new frame in place of the old one: setting `src` again would add a history entry. */
  renewFrame(src: string): HTMLIFrameElement;
  show(phase: Phase): void;
}

export function buildShell(
  settings: CheckedSettings,
  dismissed: () => unknown,
  retried: () => void,
): Shell {
  const { say, language: lang } = settings;
  const title = say(words.title);
  const close = element(
    'button',
    { className: 'close', ariaLabel: say(words.close), onclick: dismissed },
    '×',
  );
  const failure = [
    element('b', {}, say(words.failed)),
    element('p', {}, say(words.failedHint)),
    element('button', { onclick: retried }, say(words.retry)),
  ];
  const cover = element('div', { className: 'cover', role: 'alert' });
  // Gecko alone never comes back from the frame by Tab: there this end stop sends it on.
  const tabIndex = CSS.supports('-moz-appearance:none') ? 0 : -1;
  const end = element('a', { tabIndex, onfocus: () => close.focus() });
  const dialog = element(
    'dialog',
    { className: 'root', ariaLabel: title, lang },
    close,
    cover,
    end,
  );
  let frame: HTMLIFrameElement | undefined;

  // After Escape too. Late by a task: by then the page may have opened it again.
  dialog.onclose = () => dialog.open || dismissed();
  applyAppearance(dialog, settings);

  return {
    host: hostOf(dialog),
    dialog,
    renewFrame(src) {
      frame?.remove();
      frame = element('iframe', { title, src });
      end.before(frame);
      return frame;
    },
    show(phase) {
      if (!frame) return;
      cover.replaceChildren(...(phase === failed ? failure : []));
      frame.inert = phase !== shown;
      frame.focus();
    },
  };
}
