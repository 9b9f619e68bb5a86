/** The content of a document that can be saved: a title, a table of terms, and texts. */
export interface PrintableDocument {
  title: string;
  /** BCP 47. */
  locale: string;
  lines: readonly (readonly [term: string, value: string])[];
  /** `locale` is set for a text in another language than the rest. Line breaks are kept. */
  texts: readonly { heading?: string; text: string; locale?: string }[];
}

/** The head of a document: the partner's name, and its logo if one is stored. */
export interface DocumentBrand {
  name: string;
  /** A `#rrggbb` color for the line below, which has no text. */
  accent: string | null;
  /** `dataUrl` has the picture, so that opening the file loads nothing. */
  logo: { dataUrl: string; width: number; height: number } | null;
}

/** A self-contained HTML page with a print style. */
export function documentFile(
  { title, locale, lines, texts }: PrintableDocument,
  brand: DocumentBrand | null,
): string {
  const rows = lines.map(
    ([term, value]) =>
      `<tr><th scope="row">${escapeHtml(term)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const parts = texts.map(({ heading, text, locale: language }) => {
    const lang = language === undefined ? '' : ` lang="${escapeHtml(language)}"`;
    const head = heading === undefined ? '' : `<h2>${escapeHtml(heading)}</h2>\n`;
    return `${head}<div class="text"${lang}>${escapeHtml(text)}</div>`;
  });
  return [
    `<!doctype html>`,
    `<html lang="${escapeHtml(locale)}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>`,
    ...(brand === null ? [] : [headOf(brand)]),
    `<h1>${escapeHtml(title)}</h1>`,
    ...(rows.length === 0 ? [] : [`<table>${rows.join('')}</table>`]),
    ...parts,
    `</main></body></html>\n`,
  ].join('\n');
}

/** The name stays next to the logo, because a logo may be a mark without letters. */
function headOf({ name, accent, logo }: DocumentBrand): string {
  const line = accent === null ? '' : ` style="border-color:${escapeHtml(accent)}"`;
  const picture =
    logo === null
      ? ''
      : `<img src="${escapeHtml(logo.dataUrl)}" width="${logo.width}" height="${logo.height}" alt="">`;
  return `<header${line}>${picture}<span>${escapeHtml(name)}</span></header>`;
}

const style = [
  'body{margin:0;background:#fff;color:#101828;font:16px/1.5 system-ui,sans-serif}',
  'main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem}',
  'header{display:flex;align-items:center;gap:.75rem;padding-bottom:.75rem;border-bottom:3px solid #d0d5dd;font-weight:600;overflow-wrap:anywhere}',
  'img{flex:none;width:auto;height:auto;max-width:10rem;max-height:2.5rem}',
  'h1{font-size:1.5rem;line-height:1.2}h2{font-size:1rem;margin:1.5rem 0 .25rem}',
  'table{width:100%;border-collapse:collapse}',
  'th,td{padding:.4rem 0;border-bottom:1px solid #d0d5dd;text-align:start;vertical-align:top}',
  'th{padding-inline-end:1rem;font-weight:400;color:#475467}',
  '.text{margin-top:1rem;white-space:pre-wrap;overflow-wrap:anywhere}',
  '@page{margin:2cm}@media print{main{max-width:none;padding:0}body{font-size:11pt}}',
].join('');

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
