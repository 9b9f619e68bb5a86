import type { DocumentBrand } from '../format/document-file.ts';
import type { Partner } from './page-settings.ts';

/** Reads the partner's brand for a saved document, with the logo's bytes. Null without a name or logo. */
export async function readBrand(partner: Partner | null): Promise<DocumentBrand | null> {
  if (partner === null) return null;
  const { accent, logo } = partner.appearance;
  const dataUrl = logo && (await dataUrlOf(logo.url));
  if (partner.name === '' && dataUrl === null) return null;
  return {
    name: partner.name,
    accent,
    logo: logo && dataUrl !== null ? { ...logo, dataUrl } : null,
  };
}

/** Null if the picture can't be loaded: the document is saved without it. */
async function dataUrlOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3000) });
    if (!response.ok) return null;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return `data:image/png;base64,${btoa(text)}`;
  } catch {
    return null;
  }
}
