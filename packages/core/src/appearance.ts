import type { SvcSettings } from './settings.ts';

/**
 * Applies the theme and the custom properties to a root element. Set through CSSOM rather than a
 * style attribute, which a Content Security Policy could block.
 */
export function applyAppearance(
  { style }: HTMLElement,
  { theme, variables }: NonNullable<SvcSettings['appearance']> = {},
): void {
  style.cssText = '';
  style.colorScheme = theme === 'light' || theme === 'dark' ? theme : '';
  for (const [name, value] of Object.entries(variables ?? {})) {
    style.setProperty(`--svc-${name}`, value ?? '');
  }
}
