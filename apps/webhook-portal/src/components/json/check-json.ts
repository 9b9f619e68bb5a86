import type { JsonCheck } from '../../testing/json-editor.tsx';
import { checkSchema, type Schema } from './check-schema.ts';

/** Reads what someone types as `data`: can it be sent, and does it fit the schema? */
export function checkJson(text: string, schema: Schema | undefined): JsonCheck {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { parsed: null, problems: [notJson(text, error instanceof Error ? error.message : '')] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { parsed: null, problems: ['data is a JSON object: { … }'] };
  }
  const problems = schema ? checkSchema(value, schema) : [];
  return {
    parsed: value as Record<string, unknown>,
    problems: problems.map(({ path, message }) => `${path} ${message}`),
  };
}

/** Browsers say it differently; all say where, by position or by line and column. */
function notJson(text: string, message: string): string {
  const place = /line (\d+) column (\d+)/.exec(message);
  if (place) return `Not JSON: look at line ${place[1]}, column ${place[2]}.`;
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return 'Not JSON: it ends too early, or a quote or comma is missing.';
  const before = text.slice(0, Number(position)).split('\n');
  return `Not JSON: look at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
}
