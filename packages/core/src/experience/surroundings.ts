import type { Theme } from '@svc/contract/frame';
import type { Running } from '../running.ts';

/** Inside an open dialog of the page the frame lives in that dialog, else it would be out of reach. */
export function anchorOf({ widget }: Running): Element {
  return widget?.host.closest('dialog[open],[aria-modal=true]') ?? document.body;
}

/** The setting, else the scheme around the widget. A page that names none is light. */
export function themeOf({ widget, settings }: Running): Theme {
  const theme = settings.appearance?.theme ?? 'auto';
  const { colorScheme } = getComputedStyle(widget?.host ?? document.body);
  const dark = /dark/.test(colorScheme);
  return theme !== 'auto' || (dark && /light/.test(colorScheme)) ? theme : dark ? 'dark' : 'light';
}
