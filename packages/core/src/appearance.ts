import type { PageAppearance } from '@svc/contract/appearance';
import type { SvcSettings } from './settings.ts';

/**
 * Applies the theme and the custom properties to a root element. They are set through CSSOM rather than a
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
  // The page has chosen a text color for its accent, so the accent stays as it is.
  if (variables?.['on-accent']) style.setProperty('--accent', 'var(--accent-given)');
}

/** Copies the appearance that the page's CSS sets around the widget to the dialog, which is outside of that part. */
export function inheritAppearance({ style }: HTMLElement, from: Element): void {
  const surroundingStyle = getComputedStyle(from);
  for (const name of ['accent', 'on-accent', 'radius', 'font']) {
    const property = `--svc-${name}`;
    if (!style.getPropertyValue(property)) {
      style.setProperty(property, surroundingStyle.getPropertyValue(property));
    }
  }
  // With theme `auto`, the dialog has the color scheme of the page around the widget.
  style.colorScheme ||= surroundingStyle.colorScheme;
}

/**
 * Returns the page's accent, radius and font for the experience, as the browser resolves them; null for what
 * the page did not set. shared.css puts the accent and the radius into properties that have no visible effect.
 */
export function resolveAppearance(root: HTMLElement): Omit<PageAppearance, 'hasTheme'> {
  const style = getComputedStyle(root);
  const ifSet = <T>(name: string, value: T) =>
    style.getPropertyValue(`--svc-${name}`).trim() ? value : null;
  return {
    accent: ifSet('accent', hexOf(style.caretColor)),
    radius: ifSet('radius', Number.parseFloat(style.scrollMarginTop)),
    font: ifSet('font', style.fontFamily),
  };
}

/** Converts `color(srgb 1 0.5 0)` to `#ff8000`. Returns null for another form, which is what an invalid color has. */
function hexOf(color: string): string | null {
  const parts = /^color\(srgb ([^ )]+) ([^ )]+) ([^ )]+)/.exec(color)?.slice(1);
  if (!parts) return null;
  const bytes = parts.map((part) => Math.round(Math.min(1, Math.max(0, Number(part))) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
