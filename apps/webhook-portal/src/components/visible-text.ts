/**
 * Makes untrusted text safe to display. Control, zero-width, and bidirectional characters are shown as
 * escapes, so they cannot hide or reorder the text around them.
 */
export function visibleText(text: string, keep: 'lines' | 'nothing' = 'nothing'): string {
  return text.replace(unseen, (character) =>
    keep === 'lines' && (character === '\n' || character === '\t')
      ? character
      : asEscape(character),
  );
}

// Controls, soft hyphen, zero-width, bidi marks and overrides, separators, BOM, lone surrogates.
const unseen =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

function asEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
