import type { Sql } from './types.ts';

/** Builds a statement: values become `$n`, a nested statement is inlined with its own values. */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  if (!parts.some(isSql)) return { text: plainText(strings), values: parts };
  const values: unknown[] = [];
  const text = strings.reduce((head, tail, index) => head + place(parts[index - 1], values) + tail);
  return { text, values };
}

/** A fragment without values; for constants in our own code, never for input. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

const plainTexts = new WeakMap<TemplateStringsArray, string>();

/** The same string each time, so that whoever looks it up hashes it once. */
function plainText(strings: TemplateStringsArray): string {
  const known = plainTexts.get(strings);
  if (known !== undefined) return known;
  const text = strings.reduce((head, tail, index) => `${head}$${index}${tail}`);
  plainTexts.set(strings, text);
  return text;
}

function place(part: unknown, values: unknown[]): string {
  if (isSql(part)) {
    const offset = values.length;
    values.push(...part.values);
    return part.text.replace(/\$(\d+)/g, (_, digits) => `$${Number(digits) + offset}`);
  }
  values.push(part);
  return `$${values.length}`;
}

function isSql(part: unknown): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part && 'values' in part;
}
