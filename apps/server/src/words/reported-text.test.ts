import { expect, test } from 'vitest';
import { reportedText } from './reported-text.ts';

test.each([
  ['Maple Court', 'Maple Court'],
  ['José Ñandú', 'José Ñandú'],
  ['Zoë\u0308 李 Иван', 'Zoë\u0308 李 Иван'],
  ['418 \u202etruoC elpaM', '418 truoC elpaM'],
  ['Ada\u2066\u2067 Lovelace\u200f', 'Ada Lovelace'],
  ['Ada\n\tLovelace', 'Ada Lovelace'],
  ['برج النخيل', '\u2068برج النخيل\u2069'],
  ['Tower 5 מגדל', '\u2068Tower 5 מגדל\u2069'],
  // An isolate that the text closes by itself would end ours.
  ['برج\u2069 $5', '\u2068برج $5\u2069'],
  ['𞤀𞤣𞤤𞤢𞤥', '\u2068𞤀𞤣𞤤𞤢𞤥\u2069'],
])('%s stays one run of text in a sentence', (text, expected) => {
  expect(reportedText(text)).toBe(expected);
});
