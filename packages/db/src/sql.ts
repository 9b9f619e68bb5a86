import type { Sql } from './types.ts';

/** Builds a statement: values become `$n`, a nested statement is inlined with its own values. */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  const values: unknown[] = [];
  const text = strings.reduce((head, tail, index) => head + place(parts[index - 1], values) + tail);
  return { text, values };
}

/** A fragment without values; for constants in our own code, never for input. */
export function raw(text: string): Sql {
  return { text, values: [] };
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
