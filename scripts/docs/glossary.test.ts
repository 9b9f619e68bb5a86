import { readFileSync } from 'node:fs';
import { locales } from '@svc/contract/locales';
import { parseSync } from 'rolldown/utils';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The glossary's section and the sources of all text that a tenant can read, by language. */
const languages = {
  en: {
    heading: 'English',
    sources: [
      'apps/experience/src/words/en-first.ts',
      'apps/experience/src/words/en-later.ts',
      'apps/server/src/words/en.ts',
      'packages/contract/src/payment-failures.ts',
      'packages/core/src/locales/words.ts',
      'packages/core/src/message/words.ts',
    ],
    alsoNot: {
      'the month after the day':
        /\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b/,
      'a date without slashes': /\b\d{1,2} \d{1,2} \d{4}\b/,
    },
  },
  es: {
    heading: 'Español',
    sources: [
      'apps/experience/src/words/es.ts',
      'apps/server/src/words/es.ts',
      'packages/core/src/locales/es.ts',
    ],
    alsoNot: { 'a date without slashes': /\b\d{1,2} \d{1,2} \d{4}\b/ },
  },
} as const;

/** Texts that quote a law, so the glossary does not apply to them. */
const statutory = [
  'apps/server/src/words/en.ts equalCreditNotice',
  'apps/server/src/words/es.ts equalCreditNotice',
];

test('each language has a section in the glossary', () => {
  expect(Object.keys(languages)).toEqual([...locales]);
});

test.each(Object.values(languages))(
  'the texts in $heading use the glossary’s words',
  (language) => {
    const { heading, sources, alsoNot } = language;
    const glossary = readGlossary(heading);
    const found = sources.flatMap((path) =>
      textsOf(path, read(path)).flatMap(({ place, text }) => {
        if (statutory.some((section) => `${path} ${place}.`.startsWith(`${section}.`))) return [];
        const wrong = [
          ...forbiddenIn(text, glossary),
          ...Object.entries(alsoNot).flatMap(([name, pattern]) =>
            pattern.test(text) ? [name] : [],
          ),
        ];
        return wrong.length === 0 ? [] : [`${path} ${place}: ${wrong.join(', ')} in “${text}”`];
      }),
    );
    expect(found).toEqual([]);
  },
);

test('the demo’s texts use the glossary’s words, in English and in Spanish', () => {
  const [english, spanish] = [readGlossary('English'), readGlossary('Español')];
  const path = 'apps/demo-portal/src/words/es.ts';
  // Each Spanish text has the English one as its key.
  const found = textsOf(path, read(path)).flatMap(({ place, text }) => [
    ...forbiddenIn(place, english).map((phrase) => `${phrase} in “${place}”`),
    ...forbiddenIn(text, spanish).map((phrase) => `${phrase} in “${text}”`),
  ]);
  expect(found).toEqual([]);
});

test('a forbidden phrase is found, unless it is part of a phrase to write', () => {
  const glossary = readGlossary('Español');
  expect(forbiddenIn('Tu cuenta cambió', glossary)).toEqual(['cuenta']);
  expect(forbiddenIn('Mira tu estado de cuenta', glossary)).toEqual([]);
  expect(forbiddenIn('Your bill, and the billing', readGlossary('English'))).toEqual(['bill']);
});

test('the texts of a source are its strings and templates, without keys and types', () => {
  const source = `
    import x from './x.ts';
    export const a: 'A type' = 'One';
    export const words = {
      'A key': { two: (n: number) => (n === 1 ? 'two' : \`\${n} three\`) },
      ...(kind === 'hoa' ? ['Four'] : []),
    };`;
  expect(textsOf('a.ts', source)).toEqual([
    { place: 'a', text: 'One' },
    { place: 'A key.two', text: 'two' },
    { place: 'A key.two', text: '… three' },
    { place: 'words', text: 'Four' },
  ]);
});

interface Glossary {
  /** Phrases to write that contain a forbidden one, the longest first. */
  readonly allowed: readonly RegExp[];
  readonly forbidden: readonly { readonly phrase: string; readonly pattern: RegExp }[];
}

/** Returns the phrases of one section's table. */
function readGlossary(heading: string): Glossary {
  const [, section] = read('docs/glossary.md').split(`\n## ${heading}\n`);
  const rows =
    (section ?? '')
      .split('\n## ')[0]
      ?.match(/^\|.*\|$/gm)
      ?.slice(2) ?? [];
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  expect(cells.length).toBeGreaterThan(20);
  const write = cells.flatMap(([, , phrases = '']) => phrases.split('; '));
  const not = cells.flatMap(([, , , phrases = '']) =>
    [...phrases.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase),
  );
  const forbidden = [...new Set(not)].map((phrase) => ({ phrase, pattern: wholeWords(phrase) }));
  return {
    forbidden,
    // The longest first, so that "cuenta o tarjeta" does not leave half of a longer phrase behind.
    allowed: write
      .filter((phrase) => forbidden.some(({ pattern }) => pattern.test(phrase)))
      .toSorted((a, b) => b.length - a.length)
      .map((phrase) => wholeWords(phrase, 'g')),
  };
}

function forbiddenIn(text: string, { allowed, forbidden }: Glossary): string[] {
  const plain = text.replaceAll('\u00a0', ' ').replaceAll('’', "'");
  const rest = allowed.reduce((left, pattern) => left.replaceAll(pattern, '…'), plain);
  return forbidden.filter(({ pattern }) => pattern.test(rest)).map(({ phrase }) => phrase);
}

/** Matches whole words in any case, also next to accented letters, where `\b` fails. */
function wholeWords(phrase: string, flag = ''): RegExp {
  const escaped = phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, `iu${flag}`);
}

interface Text {
  /** The names of the constants and keys that lead to the text, without the outermost constant. */
  readonly place: string;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

function textsOf(path: string, source: string): Text[] {
  const texts: Text[] = [];
  const visit = (node: unknown, names: readonly string[]): void => {
    if (Array.isArray(node)) for (const it of node) visit(it, names);
    if (!isNode(node)) return;
    switch (node.type) {
      case 'ImportDeclaration':
      case 'BinaryExpression':
      case 'TSTypeAnnotation':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
        return;
      case 'TSSatisfiesExpression':
      case 'TSAsExpression':
        visit(node.expression, names);
        return;
      case 'Literal':
        if (typeof node.value === 'string') add(node.value, names);
        return;
      case 'TemplateLiteral': {
        const parts = node.quasis as { value: { cooked: string } }[];
        add(parts.map(({ value }) => value.cooked).join('…'), names);
        visit(node.expressions, names);
        return;
      }
      case 'VariableDeclarator':
        visit(node.init, [nameOf(node.id)]);
        return;
      case 'FunctionDeclaration':
        visit(node.body, [nameOf(node.id)]);
        return;
      case 'Property':
        visit(node.value, [...names, nameOf(node.key)]);
        return;
      default:
        for (const it of Object.values(node)) visit(it, names);
    }
  };
  const add = (text: string, names: readonly string[]) => {
    const place = names.length > 1 ? names.slice(1) : names;
    texts.push({ place: place.join('.'), text });
  };
  const { program, errors } = parseSync(path, source);
  expect(errors).toEqual([]);
  visit(program, []);
  return texts;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function nameOf(key: unknown): string {
  const { name, value } = key as { name?: string; value?: string };
  return name ?? String(value);
}
