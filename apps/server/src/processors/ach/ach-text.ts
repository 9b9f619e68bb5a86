/**
 * Converts text to the characters that a Nacha file allows, in capitals: `Zoë O’Hara` becomes `ZOE O HARA`, and
 * `Øystein Łoś` becomes `OYSTEIN LOS`. Empty if no letter is left, as for a name in Chinese.
 */
export function achText(value: string, width: number): string {
  const letters = value
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^\x20-\x7e]/gu, (letter) => plainLetters[letter] ?? letter);
  const text = letters.replace(/[^A-Z0-9 .,&/-]+/g, ' ').trim();
  return text.slice(0, width).trimEnd();
}

/** Latin letters that Unicode does not decompose into an ASCII letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Ð: 'D',
  Đ: 'D',
  Ɖ: 'D',
  Ǝ: 'E',
  Ə: 'E',
  Ɛ: 'E',
  Ħ: 'H',
  Ɨ: 'I',
  ĸ: 'K',
  Ł: 'L',
  Ŋ: 'NG',
  Ɲ: 'N',
  Ø: 'O',
  Œ: 'OE',
  Ɔ: 'O',
  ẞ: 'SS',
  Þ: 'TH',
  Ŧ: 'T',
  Ƶ: 'Z',
  Ɓ: 'B',
  Ɗ: 'D',
  Ƙ: 'K',
  Ƴ: 'Y',
};
