import { type DocumentBlock, documentBlocks, type Locale, localeInfo } from '@svc/contract';
import { escapeHtml } from '../escape-html.ts';
import type { MailBrand } from './brand.ts';
import { darkBarRules, type Segment, splitBarHtml } from './split-bar.ts';

/** The content of a mail, without its layout. */
export interface MailContent {
  readonly locale: Locale;
  readonly subject: string;
  readonly preheader: string;
  readonly title: string;
  /** The plan's payments as a picture, and the same in words. Null in a mail about no plan. */
  readonly bar: { readonly segments: readonly Segment[]; readonly text: string } | null;
  readonly greeting: string;
  readonly lines: readonly string[];
  readonly rows: readonly (readonly [term: string, value: string])[];
  readonly after: readonly string[];
  /** Null on paper, and in a mail with a code. */
  readonly button: { readonly url: string; readonly text: string } | null;
  /** The sentence about the button's link. */
  readonly link: string;
  readonly document: MailDocument | null;
  readonly foot: string;
}

/** A text in the layout that `documentBlocks` parses, such as an agreement. */
interface MailDocument {
  readonly locale: Locale;
  readonly text: string;
  readonly notes: readonly string[];
}

/** Returns the plain text of a mail. It has every fact of the HTML. */
export function plainText(mail: MailContent): string {
  const { greeting, title, bar, lines, rows, after, button, link, document, foot } = mail;
  const parts = [
    greeting,
    title,
    ...(bar === null ? [] : [bar.text]),
    ...lines,
    rows.map(([term, value]) => `${term}: ${value}`).join('\n'),
    ...after,
    ...(button === null ? [] : [`${button.text}:\n${button.url}`, link]),
    ...(document === null ? [] : [ruler, document.text, ...document.notes, ruler]),
    foot,
    '',
  ];
  return parts.join('\n\n');
}

const ruler = '-'.repeat(60);

/**
 * Returns the HTML of a mail. Styles are inline and the layout is a table, because mail programs support little
 * else; the style sheet only changes colors for a dark screen, and programs that ignore it stay light.
 */
export function htmlPage(mail: MailContent, brand: MailBrand, lender: string): string {
  const { locale, title, preheader, greeting, lines, rows, after } = mail;
  const { light, dark } = brand;
  return `<!doctype html>
<html lang="${locale}" dir="${localeInfo[locale].direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(mail.subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #0c111d !important; color: #cecfd2 !important; }
  .card { background: #161b26 !important; border-color: #333741 !important; }
  .title { color: #f5f5f6 !important; }
  .quiet { color: #94969c !important; }
  .line { border-color: #333741 !important; }
  .button { background: ${escapeHtml(dark.accent)} !important; color: ${escapeHtml(dark.onAccent)} !important; }
${darkBarRules(escapeHtml(dark.accent))}
  .logo { background: #ffffff !important; padding: 6px 8px !important; border-radius: 6px !important; }
}
@media (max-width: 480px) { .card { padding-left: 20px !important; padding-right: 20px !important; } }
@media (max-width: 380px) { .fact { white-space: normal !important; } }
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f2f4f7;color:#344054">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>
<div role="article" aria-roledescription="email" aria-label="${escapeHtml(mail.subject)}" lang="${locale}">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f4f7;color:#344054;font:16px/1.5 -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:580px;text-align:start">
<tr><td class="title" style="padding:0 4px 16px;color:#101828">${headOf(brand, lender)}</td></tr>
<tr><td class="card" style="padding:32px;background:#ffffff;border:1px solid #e4e7ec;border-radius:12px">
<h1 class="title" style="margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:600;text-wrap:balance;color:#101828">${escapeHtml(title)}</h1>
${barOf(mail.bar, light.accent)}${[greeting, ...lines].map(paragraph).join('\n')}
${table(rows)}
${after.map(paragraph).join('\n')}
${buttonOf(mail, light)}
</td></tr>
${mail.document === null ? '' : `${documentCard(mail.document)}\n`}<tr><td class="quiet" style="padding:16px 4px 0;font-size:13px;color:#596375">${escapeHtml(mail.foot)}</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`;
}

/** Returns the logo, or the name if there is none. In dark mode the logo is on white, for which most are made. */
function headOf({ name: portal, logo }: MailBrand, lender: string): string {
  const name = escapeHtml(portal === '' ? lender : portal);
  if (logo === null) return `<span style="font-size:16px;font-weight:600">${name}</span>`;
  // Some programs ignore `max-width`, so the size is computed. A small logo isn't enlarged.
  const scale = Math.min(1, 240 / logo.width, 40 / logo.height);
  const [width, height] = [logo.width, logo.height].map((it) =>
    Math.max(1, Math.round(it * scale)),
  );
  return `<img class="logo" src="${escapeHtml(logo.url)}" alt="${name}" width="${width}" height="${height}" style="display:block;border:0;font-size:16px;font-weight:600">`;
}

function barOf(bar: MailContent['bar'], accent: string): string {
  if (bar === null) return '';
  return `${splitBarHtml(bar.segments, escapeHtml(accent))}
<p class="quiet" style="margin:0 0 20px;font-size:13px;color:#596375">${escapeHtml(bar.text)}</p>
`;
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
}

function table(rows: MailContent['rows']): string {
  // Rows of one table look alike: a notice has long values, so all of its values are below their terms.
  const stacked = rows.some(([, value]) => isLong(value));
  const lines = rows.map(([term, value]) => {
    if (isId(value)) return idRow(term, value);
    return stacked ? stackedRow(term, value) : factRow(term, value);
  });
  return `<table class="line" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-top:1px solid #e4e7ec;font-size:15px">${lines.join('')}</table>`;
}

function isLong(value: string): boolean {
  return value.length > 40;
}

function isId(value: string): boolean {
  return /^\S{20,}$/.test(value);
}

/**
 * Amounts and days stand out at the end of the line, and stay on it: on a phone, a long term wraps instead. On the
 * narrowest phones both wrap.
 */
function factRow(term: string, value: string): string {
  const wrap = value.length > 24 ? 'width:58%;text-wrap:balance' : 'white-space:nowrap';
  return `<tr><th scope="row" class="quiet line" style="padding:10px 12px 10px 0;border-bottom:1px solid #e4e7ec;font-weight:400;text-align:start;vertical-align:top;color:#596375">${escapeHtml(term)}</th><td class="title line fact" style="padding:10px 0;border-bottom:1px solid #e4e7ec;text-align:end;font-weight:600;${wrap};vertical-align:top;color:#101828;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`;
}

/** Puts term and id on one line if they fit: in a column of the table, the id would be cut in two on a phone. */
function idRow(term: string, value: string): string {
  return `<tr><td colspan="2" class="quiet line" style="padding:10px 0;border-bottom:1px solid #e4e7ec;font-size:12px;line-height:20px;color:#596375;overflow-wrap:anywhere"><span>${escapeHtml(term)}</span> <span style="font-size:11px">${escapeHtml(value)}</span></td></tr>`;
}

/** Puts the value below its term: next to it, a sentence or an address would have a narrow column on a phone. */
function stackedRow(term: string, value: string): string {
  return `<tr><td colspan="2" class="line" style="padding:8px 0;border-bottom:1px solid #e4e7ec"><span class="quiet" style="display:block;font-size:13px;color:#596375">${escapeHtml(term)}</span><span class="title" style="display:block;color:#101828;overflow-wrap:anywhere">${escapeHtml(value)}</span></td></tr>`;
}

function documentCard({ locale, text, notes }: MailDocument): string {
  const small = notes.map(
    (it) =>
      `<p class="quiet" style="margin:12px 0 0;font-size:13px;color:#596375;overflow-wrap:anywhere">${escapeHtml(it)}</p>`,
  );
  return `<tr><td style="height:16px;line-height:16px">&nbsp;</td></tr>
<tr><td class="card" lang="${locale}" style="padding:8px 32px 32px;background:#ffffff;border:1px solid #e4e7ec;border-radius:12px;font-size:14px">
${[...documentBlocks(text).map(blockHtml), ...small].join('\n')}
</td></tr>`;
}

function blockHtml(block: DocumentBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h2 class="title" style="margin:28px 0 8px;font-size:13px;letter-spacing:.04em;font-weight:600;color:#101828">${escapeHtml(block.text)}</h2>`;
    case 'list':
      return `<ol style="margin:0 0 12px;padding-inline-start:24px">${block.items.map((it) => `<li>${escapeHtml(it)}</li>`).join('')}</ol>`;
    case 'terms':
      return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 12px;font-size:14px">${block.terms.map(termRow).join('')}</table>`;
    case 'paragraph':
      return `<p style="margin:0 0 12px">${escapeHtml(block.text)}</p>`;
  }
}

function termRow({ term, value }: { readonly term: string; readonly value: string }): string {
  if (isId(value)) return idRow(term, value);
  if (isLong(value)) return stackedRow(term, value);
  return `<tr><th scope="row" class="quiet line" style="width:55%;padding:6px 16px 6px 0;border-bottom:1px solid #e4e7ec;font-weight:400;text-align:start;vertical-align:top;color:#596375">${escapeHtml(term)}</th><td class="title line" style="padding:6px 0;border-bottom:1px solid #e4e7ec;vertical-align:top;color:#101828;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`;
}

function buttonOf({ button, link }: MailContent, light: MailBrand['light']): string {
  if (button === null) return '';
  return `<p style="margin:24px 0 12px"><a href="${escapeHtml(button.url)}" class="button" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${escapeHtml(light.accent)};color:${escapeHtml(light.onAccent)};font-weight:600;text-decoration:none">${escapeHtml(button.text)}</a></p>
<p class="quiet" style="margin:0;font-size:13px;color:#596375">${escapeHtml(link)}</p>`;
}
