import { isolateText } from '@svc/contract/isolate-text';

/**
 * Makes untrusted text safe to display. Control, zero-width, and bidirectional characters are shown as
 * escapes, so they cannot hide or reorder the text around them. Text that is written from right to left
 * is isolated, also within a sentence, a label or the page's title.
 */
export function visibleText(text: string): string {
  return isolateText(text.replace(unseen, asEscape));
}

/** Isolates text of many lines in its own element, and keeps its lines and tabs. */
export function visibleLines(text: string): string {
  return text.replace(unseen, (character) =>
    character === '\n' || character === '\t' ? character : asEscape(character),
  );
}

// Controls, soft hyphen, zero-width, bidi marks and overrides, separators, BOM, lone surrogates.
const unseen =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

function asEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
