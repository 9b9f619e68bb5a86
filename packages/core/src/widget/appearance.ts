import type { Theme } from '@svc/contract/frame';
import type { Running } from '../running.ts';

/** Theme and custom properties, set by CSSOM: no style attribute, so no CSP can refuse it. */
export function applyAppearance(at: Running, { style }: HTMLElement): void {
  const { theme, variables = {} } = at.settings.appearance ?? {};
  style.cssText = '';
  style.colorScheme = theme?.replace('auto', '') ?? '';
  for (const [name, value] of Object.entries(variables)) {
    style.setProperty(`--svc-${name}`, value ?? '');
  }
}

/** The setting, else the scheme around the widget. A page that names none is light. */
export function themeOf(at: Running): Theme {
  const theme = at.settings.appearance?.theme ?? 'auto';
  const { colorScheme } = getComputedStyle(at.host ?? document.body);
  const dark = /dark/.test(colorScheme);
  return theme !== 'auto' || (dark && /light/.test(colorScheme)) ? theme : dark ? 'dark' : 'light';
}
