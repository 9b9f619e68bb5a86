import { fieldCodes as codes } from '@svc/contract';
import type { Insert } from './insert.ts';

const codeMeanings: Record<(typeof codes)[number], string> = {
  required: 'The field is missing.',
  unknown_field: 'There is no such field. Check the spelling: names are snake_case.',
  invalid_type: 'The value has the wrong JSON type, such as "100" instead of 100.',
  invalid_value: 'The value is not one of those that the message lists.',
  invalid_date: 'The date does not exist, or is not `YYYY-MM-DD`.',
  invalid_format: 'The text has the wrong form, such as an e-mail address without @.',
  too_small: 'The value is below its limit, or the text or list is too short.',
  too_big: 'The value is above its limit, or the text or list is too long.',
  duplicate: 'The same id is in the list twice.',
  not_accepted: 'The value is valid, but the service does not take it. The message says why.',
};

/** Returns a table of the codes in `error.errors[]`. */
export function fieldCodes(): Insert {
  const rows = codes.map((code) => `| \`${code}\` | ${codeMeanings[code]} |`);
  return { markdown: ['| `code` | Meaning |', '|---|---|', ...rows].join('\n') };
}
