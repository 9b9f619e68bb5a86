import type { Running } from './running.ts';

/** Theme and custom properties, set by CSSOM: no style attribute, so no CSP can refuse it. */
export function applyAppearance(at: Running, { style }: HTMLElement): void {
  const { theme, variables = {} } = at.settings.appearance ?? {};
  style.cssText = '';
  style.colorScheme = theme?.replace('auto', '') ?? '';
  for (const name in variables) {
    style.setProperty(
      `--svc-${name}`,
      (variables as Record<string, string | undefined>)[name] ?? '',
    );
  }
}
