import { fontStacks, type PageAppearance, type StoredAppearance } from '@svc/contract/appearance';
import type { Theme } from '@svc/contract/frame';

/** The family of the font that the partner has uploaded. */
const uploadedFamily = 'svc-uploaded';

/**
 * Sets the custom properties that every color, radius and font of the design tokens derives from:
 * those of the partner's page if it sent any, else those that the partner stored.
 */
export function applyAppearance(
  root: HTMLElement,
  stored: StoredAppearance | null,
  page: Omit<PageAppearance, 'hasTheme'> | null,
): void {
  const accent = page?.accent ?? stored?.accent;
  const radius = page?.radius ?? stored?.radius;
  // tokens.css derives the accent's other colors only if the root has this attribute.
  root.toggleAttribute('data-accent', accent != null);
  setBrandProperty('accent', accent);
  setBrandProperty('radius', radius == null ? null : `${radius}px`);
  setBrandProperty('font', page?.font ?? storedFont(stored));

  function setBrandProperty(name: string, value: string | null | undefined): void {
    if (value == null) root.style.removeProperty(`--svc-brand-${name}`);
    else root.style.setProperty(`--svc-brand-${name}`, value);
  }
}

/** Starts loading the font that the partner has uploaded. Text shows in a system font until then. */
export function loadFont(document: Document, stored: StoredAppearance | null): void {
  if (!stored?.font_file) return;
  const source = `url(${JSON.stringify(stored.font_file.url)}) format("woff2")`;
  document.fonts.add(new FontFace(uploadedFamily, source, { display: 'swap' }));
}

function storedFont(stored: StoredAppearance | null): string | null {
  if (stored === null) return null;
  const stack = stored.font && fontStacks[stored.font];
  return stored.font_file ? `"${uploadedFamily}", ${stack ?? fontStacks.system}` : stack;
}

/** Returns the theme for the `color-scheme` of the partner's page. A page without one is light. */
export function themeOf(scheme: string): Theme {
  const dark = scheme.includes('dark');
  if (scheme === 'auto' || (dark && scheme.includes('light'))) return 'auto';
  return dark ? 'dark' : 'light';
}
