import type { Frame } from 'playwright-core';
import type { Words } from '../../../experience/src/words/en.ts';

/** A line of a schedule, with its amounts in cents. */
export interface Row {
  readonly state: string;
  readonly cents: number;
  readonly credited: number;
  readonly partlyPaid: number;
  readonly after: number | null;
  readonly originally: number | null;
}

export async function readRows(frame: Frame, words: Words): Promise<Row[]> {
  const items = await frame.locator('.svc-schedule').first().locator('li').all();
  return Promise.all(
    items.map(async (item) => {
      const notes = (await item.locator('.svc-schedule__note').allInnerTexts())
        .flatMap((note) => spaced(note).split(' · '))
        .filter((note) => note !== '');
      const amountIn = (phrase: (amount: string) => string) => {
        // The first word of a line is capitalized, so the comparison ignores case.
        const phrased = (it: string) =>
          spaced(phrase(/\$[\d,.]+\d/.exec(it)?.[0] ?? '')).toLowerCase();
        const note = notes.find(
          (it) => centsIn(it).length === 1 && it.toLowerCase() === phrased(it),
        );
        return note === undefined ? null : (centsIn(note)[0] ?? null);
      };
      const [cents = Number.NaN] = centsIn(await item.locator('.svc-schedule__amount').innerText());
      return {
        state: (await item.getAttribute('data-state')) ?? '',
        cents,
        credited: amountIn(words.credited) ?? 0,
        partlyPaid: amountIn(words.partlyPaid) ?? 0,
        originally: originallyIn(notes, words),
        after: notes.includes(spaced(words.nothingLeft)) ? 0 : amountIn(words.left),
      };
    }),
  );
}

/** The agreed amount of a row, if it has changed. */
function originallyIn(notes: readonly string[], { manage }: Words): number | null {
  const note = notes.find((it) => it.startsWith(manage.originally('')));
  return note === undefined ? null : (centsIn(note)[0] ?? null);
}

/** Returns a function that gives a term's value in cents; 0 if the term is not shown, NaN if it has no amount. */
export async function readFacts(frame: Frame, list = 'dl') {
  const terms = await frame.locator(`${list} dt`).allInnerTexts();
  const values = await frame.locator(`${list} dd`).allInnerTexts();
  return (term: string): number => {
    const index = terms.map(spaced).indexOf(spaced(term));
    return index === -1 ? 0 : (centsIn(values[index] ?? '')[0] ?? Number.NaN);
  };
}

export async function textOf(frame: Frame, selector: string): Promise<string> {
  return spaced(await frame.locator(selector).first().innerText());
}

export function centsIn(text: string): number[] {
  return [...text.matchAll(/([-−]?)\$([\d,]+)\.(\d\d)/g)].map(
    ([, sign, whole = '', part = '']) =>
      (sign === '' ? 1 : -1) * Number(`${whole.replaceAll(',', '')}${part}`),
  );
}

export function spaced(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ').trim();
}

export function sum(cents: readonly number[]): number {
  return cents.reduce((total, it) => total + it, 0);
}
