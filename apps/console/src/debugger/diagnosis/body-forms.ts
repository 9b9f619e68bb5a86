export type BodyForm =
  | 'exact'
  | 'sent'
  | 'compact'
  | 'indented'
  | 'spaced'
  | 'ascii'
  | 'slashes'
  | 'sorted'
  | 'trimmed'
  | 'newline'
  | 'line_ends';

/** Returns the pasted body and its variants, as programs commonly re-serialize or alter it, each with its name. */
export function bodyForms(body: string, sent: string | null): Map<string, BodyForm> {
  const forms = new Map<string, BodyForm>();
  const add = (form: BodyForm, text: string) => forms.has(text) || forms.set(text, form);
  add('exact', body);
  if (sent !== null) add('sent', sent);
  add('trimmed', body.trim());
  add('newline', `${body}\n`);
  add('line_ends', body.replaceAll('\r\n', '\n'));
  add('line_ends', body.replaceAll(/\r?\n/g, '\r\n'));
  for (const [form, text] of reserializedForms(body)) add(form, text);
  return forms;
}

function reserializedForms(body: string): [BodyForm, string][] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // Not JSON, so it cannot have been re-serialized.
    return [];
  }
  const compact = JSON.stringify(value);
  return [
    ['compact', compact],
    ['indented', JSON.stringify(value, null, 2)],
    ['indented', JSON.stringify(value, null, 4)],
    ['spaced', writeJson(value, ', ', ': ')],
    ['ascii', escapeNonAscii(compact)],
    ['ascii', escapeNonAscii(writeJson(value, ', ', ': '))],
    ['slashes', compact.replaceAll('/', '\\/')],
    ['slashes', escapeNonAscii(compact).replaceAll('/', '\\/')],
    ['sorted', JSON.stringify(sortKeys(value))],
  ];
}

/** Serializes JSON with custom separators, as Python's `json.dumps` does. */
function writeJson(value: unknown, comma: string, colon: string): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => writeJson(item, comma, colon)).join(comma)}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}${colon}${writeJson(member, comma, colon)}`,
  );
  return `{${members.join(comma)}}`;
}

function escapeNonAscii(json: string): string {
  return json.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortKeys(member)]));
}
