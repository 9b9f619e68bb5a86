// Other projects compile this file without listing the declarations, which are no modules.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./fontkit.d.ts" />
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./pdfkit.d.ts" />
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { localeInfo } from '@svc/contract';
import type { Font } from 'fontkit';
import type PDFDocument from 'pdfkit';
import type { StructureElement } from 'pdfkit';
import { fontsFolder } from '../../fonts.ts';
import type { BarState, ContentBlock, DocumentContent, DocumentLook } from './document-content.ts';
import { fitText } from './fit-text.ts';

// US Letter, in points.
const margins = { left: 64, right: 64, top: 56, bottom: 84 };
const size = { width: 612, height: 792 };
const textWidth = size.width - margins.left - margins.right;
const bottom = size.height - margins.bottom;

const colors = { ink: '#101828', quiet: '#475467', line: '#d0d5dd', outline: '#8a94a6' };

const subsets = ['latin', 'latin-ext', 'vietnamese'];
const weights = { regular: '400', bold: '600' } as const;
type Weight = keyof typeof weights;

/**
 * Lays out a document as a tagged PDF (PDF/UA-1). The same content and look give the same bytes, until the next
 * release or update of the library: what a tenant has downloaded is stored. Yields to other work between two
 * blocks. pdfkit is loaded with the first document, and not when the service starts.
 */
export async function renderPdf(content: DocumentContent, look: DocumentLook): Promise<Buffer> {
  const { default: Pdf } = await import('pdfkit');
  loadedFonts ??= loadFonts();
  const fonts = await loadedFonts;
  const { tag } = localeInfo[content.locale];
  const doc = new Pdf({
    size: [size.width, size.height],
    margins,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    lang: tag,
    displayTitle: true,
    bufferPages: true,
    font: null,
    info: {
      Title: content.title,
      Author: look.lender,
      CreationDate: content.createdAt,
      ModDate: content.createdAt,
    },
  });
  // A CIDSet is optional, and the one that pdfkit writes for the number 1 lacks glyphs (PDF/UA-1, 7.21.4.2).
  doc.subset = '1';
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => doc.once('end', resolve).once('error', reject));
  const root = doc.struct('Document');
  doc.addStructure(root);
  const sheet: Sheet = { doc, fonts, root, accent: look.accent };
  writeHead(sheet, look);
  writeHeading(sheet, { level: 'H1', text: content.title });
  for (const block of content.blocks) {
    await setImmediate();
    writeBlock(sheet, block);
  }
  root.end();
  writeFeet(sheet, look.lender);
  await setImmediate();
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

interface Sheet {
  readonly doc: PDFDocument;
  readonly fonts: Fonts;
  /** The structure that blocks are added to. */
  readonly root: StructureElement;
  readonly accent: string;
}

type Fonts = Readonly<Record<Weight, readonly Font[]>>;

let loadedFonts: Promise<Fonts> | undefined;

async function loadFonts(): Promise<Fonts> {
  const { create } = await import('fontkit');
  const load = (weight: Weight) =>
    Promise.all(
      subsets.map(async (subset) => {
        const name = `source-sans-3-${subset}-${weights[weight]}-normal.woff`;
        return create(await readFile(new URL(name, fontsFolder)));
      }),
    );
  return { regular: await load('regular'), bold: await load('bold') };
}

/** Writes the logo and the name. The logo is marked as decoration, because the name is next to it. */
function writeHead({ doc, root, fonts, accent }: Sheet, { name, logo }: DocumentLook): void {
  const top = doc.y;
  let left = margins.left;
  let height = 14;
  if (logo !== null) {
    const scale = Math.min(140 / logo.width, 32 / logo.height, 1);
    doc.markContent('Artifact', { type: 'Layout' });
    doc.image(logo.bytes, left, top, { width: logo.width * scale, height: logo.height * scale });
    doc.endMarkedContent();
    left += logo.width * scale + 10;
    height = Math.max(height, logo.height * scale);
  }
  if (name !== '') {
    const y = top + (height - 14) / 2;
    const style = { weight: 'bold', size: 12, color: colors.ink } as const;
    add(root, doc, 'P', () =>
      write({ doc, fonts }, name, {
        ...style,
        x: left,
        y,
        width: size.width - margins.right - left,
      }),
    );
    height = Math.max(height, doc.y - top);
  }
  const hasHead = logo !== null || name !== '';
  doc.y = hasHead ? top + height + 10 : top;
  paint(doc, () => doc.rect(margins.left, doc.y, textWidth, 3).fill(accent));
  doc.y += 24;
}

function writeBlock(sheet: Sheet, block: ContentBlock): void {
  switch (block.kind) {
    case 'lead':
      writeParagraph(sheet, block.text, { size: 12.5, color: colors.quiet });
      break;
    case 'heading':
      writeHeading(sheet, { level: 'H2', text: block.text });
      break;
    case 'paragraph':
      writeParagraph(sheet, block.text, {});
      break;
    case 'note':
      writeParagraph(sheet, block.text, { size: 8.5, color: colors.quiet });
      break;
    case 'list':
      writeList(sheet, block.items, (index) => `${index + 1}.`);
      break;
    case 'bullets':
      writeList(sheet, block.items, () => '•');
      break;
    case 'terms':
      writeTerms(sheet, block.terms);
      break;
    case 'table':
      writeTable(sheet, block);
      break;
    case 'bar':
      writeBar(sheet, block);
  }
}

function writeHeading(sheet: Sheet, { level, text }: { level: 'H1' | 'H2'; text: string }): void {
  const { doc, root } = sheet;
  ensureSpace(doc, 72);
  if (level === 'H2') doc.y += 8;
  const size = level === 'H1' ? 22 : 12.5;
  add(root, doc, level, () => write(sheet, text, { weight: 'bold', size }));
  doc.y += level === 'H1' ? 10 : 4;
}

function writeParagraph(sheet: Sheet, text: string, style: Style): void {
  const { doc, root } = sheet;
  ensureSpace(doc, 30);
  add(root, doc, 'P', () => write(sheet, text, style));
  doc.y += 8;
}

function writeList(sheet: Sheet, items: readonly string[], label: (index: number) => string): void {
  const { doc, root } = sheet;
  const list = doc.struct('L');
  root.add(list);
  for (const [index, text] of items.entries()) {
    ensureSpace(doc, 30);
    const item = doc.struct('LI');
    list.add(item);
    const y = doc.y;
    add(item, doc, 'Lbl', () => write(sheet, label(index), { y, width: 18 }));
    const x = margins.left + 20;
    add(item, doc, 'LBody', () => write(sheet, text, { x, y, width: textWidth - 20 }));
    item.end();
    doc.y += 4;
  }
  list.end();
  doc.y += 6;
}

type Terms = readonly { readonly term: string; readonly value: string }[];

/** Writes names and values, each in a row with a line below it. */
function writeTerms(sheet: Sheet, terms: Terms): void {
  const [first, second] = [textWidth * 0.36, textWidth * 0.64];
  writeRows(
    sheet,
    terms.map(({ term, value }) => [
      { tag: 'TH', text: term, width: first - 12, color: colors.quiet, scope: 'Row' },
      { tag: 'TD', text: value, x: margins.left + first, width: second },
    ]),
  );
}

function writeTable(
  sheet: Sheet,
  { head, rows, total }: Extract<ContentBlock, { kind: 'table' }>,
): void {
  const amounts = head.length - 1;
  const wide = Math.min(84, (textWidth * 0.6) / amounts);
  const nameWidth = textWidth - wide * amounts;
  const cellsOf = (row: readonly string[], isHead: boolean, weight: Weight): Cell[] =>
    row.map((text, index) => ({
      tag: isHead || index === 0 ? 'TH' : 'TD',
      text,
      weight,
      ...(isHead ? { color: colors.quiet, scope: 'Column' } : {}),
      ...(!isHead && index === 0 ? { scope: 'Row' } : {}),
      ...(index === 0
        ? { width: nameWidth - 8 }
        : { x: margins.left + nameWidth + wide * (index - 1), width: wide, align: 'right' }),
    }));
  writeRows(sheet, [
    cellsOf(head, true, 'regular'),
    ...rows.map((row) => cellsOf(row, false, 'regular')),
    ...(total === null ? [] : [cellsOf(total, false, 'bold')]),
  ]);
}

interface Cell extends Style {
  readonly tag: 'TH' | 'TD';
  readonly text: string;
  readonly scope?: 'Row' | 'Column';
}

function writeRows(sheet: Sheet, rows: readonly (readonly Cell[])[]): void {
  const { doc, root } = sheet;
  const table = doc.struct('Table');
  root.add(table);
  for (const cells of rows) {
    const heights = cells.map((cell) => heightOf(sheet, cell.text, cell));
    ensureSpace(doc, Math.min(Math.max(...heights) + 12, bottom - margins.top));
    const row = doc.struct('TR');
    table.add(row);
    const top = doc.y;
    const before = pageOf(doc);
    let end = top;
    for (const { tag, text, scope, ...style } of cells) {
      // After a cell as long as a page, the other cells continue on the new page.
      const y = pageOf(doc) === before ? top : doc.y;
      add(row, doc, tag, () => write(sheet, text, { ...style, y }), scope ? { scope } : {});
      end = pageOf(doc) === before ? Math.max(end, doc.y) : doc.y;
    }
    row.end();
    doc.y = end + 5;
    paint(doc, () => doc.rect(margins.left, doc.y, textWidth, 0.6).fill(colors.line));
    doc.y += 5.6;
  }
  table.end();
  doc.y += 8;
}

const barHeight = 12;

function writeBar(sheet: Sheet, { segments, alt }: Extract<ContentBlock, { kind: 'bar' }>): void {
  const { doc, root } = sheet;
  ensureSpace(doc, barHeight + 28);
  const bbox = [margins.left, doc.y, margins.left + textWidth, doc.y + barHeight] as const;
  const options = { alt, placement: 'Block', bbox } as const;
  add(root, doc, 'Figure', () => drawBar(sheet, segments), options);
  doc.y += barHeight + 18;
}

/** Draws the payments in their order. Each state has its own shape, so that none depends on its color. */
function drawBar(
  { doc, accent }: Sheet,
  segments: Extract<ContentBlock, { kind: 'bar' }>['segments'],
): void {
  const gap = 4;
  const total = segments.reduce((sum, { share }) => sum + share, 0);
  const segmentsWidth = textWidth - gap * (segments.length - 1);
  let x = margins.left;
  for (const { share, state } of segments) {
    const wide = (segmentsWidth * share) / total;
    drawSegment(doc, { state, x, wide, accent });
    x += wide + gap;
  }
}

interface DrawnSegment {
  readonly state: BarState;
  readonly x: number;
  readonly wide: number;
  readonly accent: string;
}

function drawSegment(doc: PDFDocument, { state, x, wide, accent }: DrawnSegment): void {
  const [y, tall] = state === 'now' ? [doc.y, barHeight] : [doc.y + 3, barHeight - 6];
  switch (state) {
    case 'paid':
    case 'now':
      doc.roundedRect(x, y, wide, tall, tall / 2).fill(accent);
      break;
    case 'open':
      doc.roundedRect(x, y, wide, tall, tall / 2).fill(colors.outline);
      doc.roundedRect(x + 0.8, y + 0.8, wide - 1.6, tall - 1.6, tall / 2 - 0.8).fill('#ffffff');
      break;
    case 'credited':
      for (let left = x; left + 3 <= x + wide; left += 6) {
        doc.rect(left, doc.y + barHeight / 2 - 0.6, 3, 1.2).fill(colors.outline);
      }
  }
}

/** Writes the lender and the page's number on each page, outside of the reading order. */
function writeFeet({ doc, fonts }: Sheet, lender: string): void {
  const { start, count } = doc.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    doc.switchToPage(index);
    // Text below the margin would begin a new page.
    doc.page.margins.bottom = 0;
    doc.markContent('Artifact', { type: 'Pagination' });
    const y = size.height - 56;
    const style = { size: 8.5, color: colors.quiet } as const;
    write({ doc, fonts }, lender, { ...style, y, width: textWidth - 60 });
    const number = `${index + 1} / ${count}`;
    const x = size.width - margins.right - 50;
    write({ doc, fonts }, number, { ...style, x, y, width: 50, align: 'right' });
    doc.endMarkedContent();
  }
}

interface Style {
  readonly weight?: Weight;
  readonly size?: number;
  readonly color?: string;
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly align?: 'left' | 'right';
}

/** Writes a text at its position, or below the last one. `doc.y` is then below it. */
function write({ doc, fonts }: Pick<Sheet, 'doc' | 'fonts'>, text: string, style: Style): void {
  const { weight = 'regular', size = 10.5, color = colors.ink, align = 'left' } = style;
  const runs = fitText(text, fonts[weight]);
  const options = { width: style.width ?? textWidth, align, lineGap: size * 0.18 };
  doc.fillColor(color);
  for (const [index, run] of runs.entries()) {
    useFont(doc, { font: fonts[weight][run.font], name: `${weight}${run.font}`, size });
    if (run.actual !== null) doc.markContent('Span', { actual: run.actual });
    const more = { ...options, continued: index < runs.length - 1 };
    if (index === 0) doc.text(run.text, style.x ?? margins.left, style.y ?? doc.y, more);
    else doc.text(run.text, more);
    if (run.actual !== null) doc.endMarkedContent();
  }
}

function heightOf({ doc, fonts }: Sheet, text: string, style: Style): number {
  const { weight = 'regular', size = 10.5 } = style;
  const shown = fitText(text, fonts[weight].slice(0, 1)).map((run) => run.text);
  useFont(doc, { font: fonts[weight][0], name: `${weight}0`, size });
  const options = { width: style.width ?? textWidth, lineGap: size * 0.18 };
  return doc.heightOfString(shown.join(''), options);
}

interface UsedFont {
  readonly font: Font | undefined;
  readonly name: string;
  readonly size: number;
}

/** Selects a font. It is registered only when a text uses it, so an unused font is not in the file. */
function useFont(doc: PDFDocument, { font, name, size }: UsedFont): void {
  if (font === undefined) throw new Error(`There is no font ${name}.`);
  doc.registerFont(name, font).font(name, size);
}

function add(
  parent: StructureElement,
  doc: PDFDocument,
  tag: string,
  draw: () => void,
  options: Parameters<PDFDocument['struct']>[1] = {},
): void {
  parent.add(doc.struct(tag, options, draw));
}

/** Draws something that is not content, such as a line. */
function paint(doc: PDFDocument, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  draw();
  doc.endMarkedContent();
}

function ensureSpace(doc: PDFDocument, height: number): void {
  if (doc.y + height > bottom) doc.addPage();
}

function pageOf(doc: PDFDocument): number {
  const { start, count } = doc.bufferedPageRange();
  return start + count;
}
