import type { Endpoint } from '../api/endpoints.ts';

export type Filter = NonNullable<Endpoint['filter']>;
type Condition = Filter[number];
type Value = NonNullable<Condition['equals']>;

/** Formats a filter for the form: one condition per line, such as `data.product_variant = hoa`. */
export function formatFilter(filter: Filter | null): string {
  return (filter ?? []).map(formatCondition).join('\n');
}

function formatCondition({ field, equals, in: list, exists }: Condition): string {
  if (exists !== undefined) return `${field} ${exists ? 'exists' : 'missing'}`;
  if (list !== undefined) return `${field} in ${list.map(formatValue).join(', ')}`;
  return `${field} = ${formatValue(equals ?? '')}`;
}

/** Formats a value. Text that would be parsed as something else is quoted. */
function formatValue(value: Value): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = value !== '' && value === value.trim() && !/[",\n]/.test(value);
  return isPlain && readBare(value) === value ? value : JSON.stringify(value);
}

/**
 * Parses a filter. Null if the text has no condition.
 * @throws SyntaxError that says which line is wrong and what to write
 */
export function parseFilter(text: string): Filter | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length === 0 ? null : lines.map(parseCondition);
}

/** Returns the mistake in the text as typed, or null if there is none. */
export function checkFilterText(text: string): string | null {
  try {
    parseFilter(text);
    return null;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

function parseCondition(line: string, index: number): Condition {
  const [field = '', operator = ''] = line.split(/\s+/, 2);
  const rest = line.slice(line.indexOf(operator, field.length) + operator.length).trim();
  const lineName = `Line ${index + 1}`;
  if (operator === 'exists' || operator === 'missing') {
    if (rest === '') return { field, exists: operator === 'exists' };
    throw new SyntaxError(`${lineName}: write nothing after “${operator}”.`);
  }
  if (operator === '=' || operator === 'in') {
    const values = splitValues(rest).map((value) => readValue(value, lineName));
    const [first] = values;
    if (operator === 'in' && first !== undefined) return { field, in: values };
    if (operator === '=' && first !== undefined && values.length === 1)
      return { field, equals: first };
    throw new SyntaxError(
      operator === 'in'
        ? `${lineName}: write values after “in”, separated by commas.`
        : `${lineName}: write one value after “=”, or use “in” for several.`,
    );
  }
  throw new SyntaxError(`${lineName}: write a field and then =, in, exists, or missing.`);
}

/** Splits text at commas that are not between quotes. */
function splitValues(text: string): string[] {
  const values = [''];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === ',' && !isQuoted) {
      values.push('');
      continue;
    }
    const last = values.length - 1;
    values[last] += character;
    if (character === '"') isQuoted = !isQuoted;
    if (character === '\\' && isQuoted) {
      at += 1;
      values[last] += text.charAt(at);
    }
  }
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

function readValue(text: string, lineName: string): Value {
  if (!text.startsWith('"')) return readBare(text);
  try {
    return String(JSON.parse(text));
  } catch {
    throw new SyntaxError(`${lineName}: the text in quotes doesn’t end, or has a stray \\ in it.`);
  }
}

function readBare(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
