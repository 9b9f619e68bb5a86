import { inflateSync } from 'node:zlib';

/** The content of a PDF that pdfkit wrote, as far as tests read it. */
export interface ReadPdf {
  /**
   * The content in reading order, a line for each structure element. Question marks stand for characters that no
   * font has.
   */
  readonly text: string;
  /** The types of the structure elements, such as `H1`, in the order of the file. */
  readonly tags: readonly string[];
  /** The document's language, as a BCP 47 tag. */
  readonly language: string | undefined;
  /** The replacement texts (`/ActualText`) of characters that no font has. */
  readonly actualTexts: readonly string[];
  readonly images: number;
  readonly pages: number;
}

export function readPdf(pdf: Buffer): ReadPdf {
  const raw = pdf.toString('latin1');
  const objects = new Map(
    Array.from(raw.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm), ([, id = '', body = '']) => [
      id,
      body,
    ]),
  );
  const streamOf = (body: string): string => {
    const at = body.indexOf('stream\n');
    if (at === -1) return '';
    const bytes = Buffer.from(body.slice(at + 'stream\n'.length), 'latin1');
    return body.includes('/FlateDecode') ? inflateSync(bytes).toString('latin1') : bytes.toString();
  };
  const fonts = new Map(
    Array.from(raw.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name = '', id = '']) => {
      const [, map = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '') ?? [];
      return [name, charactersOf(streamOf(objects.get(map) ?? ''))];
    }),
  );
  const pages = Array.from(raw.matchAll(/\/Contents (\d+) 0 R/g), ([, id = '']) =>
    streamOf(objects.get(id) ?? ''),
  );
  return {
    text: pages.map((page) => textOf(page, fonts)).join('\n'),
    tags: Array.from(raw.matchAll(/^\/S \/(\w+)/gm), ([, tag = '']) => tag),
    language: /\/Lang \(([^)]*)\)/.exec(raw)?.[1],
    actualTexts: pages.flatMap((page) =>
      Array.from(page.matchAll(/\/ActualText \(((?:\\.|[^\\)])*)\)/gs), ([, text = '']) =>
        decode(text.replaceAll(/\\(.)/gs, '$1')),
      ),
    ),
    pages: pages.length,
    images: raw.split('/Subtype /Image').length - 1,
  };
}

/** The characters of a font's subset, by glyph. */
function charactersOf(map: string): string[] {
  return Array.from(map.matchAll(/\[([^\]]*)\]/g), ([, list = '']) =>
    Array.from(list.matchAll(/<([0-9a-f ]*)>/g), ([, hex = '']) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
    ),
  ).flat();
}

function textOf(page: string, fonts: ReadonlyMap<string, readonly string[]>): string {
  let characters: readonly string[] = [];
  let text = '';
  let [height, textHeight] = ['', ''];
  let isArtifact = false;
  for (const [line] of page.matchAll(/^.*$/gm)) {
    if (line.startsWith('/Artifact')) isArtifact = true;
    if (line === 'EMC') isArtifact = false;
    height = /^1 0 0 1 \S+ (\S+) Tm$/.exec(line)?.[1] ?? height;
    const font = /^\/(F\d+) [\d.]+ Tf$/.exec(line)?.[1];
    if (font !== undefined) characters = fonts.get(font) ?? [];
    if (line.endsWith('TJ') && !isArtifact) {
      // A piece of the same line in another font follows without a space.
      if (height !== textHeight) text += ' ';
      textHeight = height;
      for (const [, hex = ''] of line.matchAll(/<([0-9a-f]*)>/g)) {
        for (const glyph of hex.match(/.{4}/g) ?? []) {
          text += characters[Number.parseInt(glyph, 16)] ?? '';
        }
      }
    }
    if (line === 'EMC') text += '\n';
  }
  return text
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ ?\n+ ?/g, '\n')
    .trim();
}

function decode(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return text.startsWith('\u00fe\u00ff') ? bytes.subarray(2).swap16().toString('utf16le') : text;
}
