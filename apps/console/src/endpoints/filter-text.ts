import type { Endpoint } from '../api/endpoints.ts';

export type Filter = NonNullable<Endpoint['filter']>;
type Condition = Filter[number];
type Value = NonNullable<Condition['equals']>;

/** A filter as the form shows it: a condition a line, such as `data.product_variant = hoa`. */
export function formatFilter(filter: Filter | null): string {
  return (filter ?? []).map(formatCondition).join('\n');
}

function formatCondition({ field, equals, in: list, exists }: Condition): string {
  if (exists !== undefined) return `${field} ${exists ? 'exists' : 'missing'}`;
  if (list !== undefined) return `${field} in ${list.map(formatValue).join(', ')}`;
  return `${field} = ${formatValue(equals ?? '')}`;
}

/** Text that could be read as something else is quoted. */
function formatValue(value: Value): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = value !== '' && value === value.trim() && !/[",\n]/.test(value);
  return isPlain && readBare(value) === value ? value : JSON.stringify(value);
}

/** Null without a condition. @throws SyntaxError that says which line is wrong and what to write */
export function parseFilter(text: string): Filter | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length === 0 ? null : lines.map(parseCondition);
}

/** The mistake in the text as typed; null without one. */
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
  const at = `Line ${index + 1}`;
  if (operator === 'exists' || operator === 'missing') {
    if (rest === '') return { field, exists: operator === 'exists' };
    throw new SyntaxError(`${at}: write nothing after “${operator}”.`);
  }
  if (operator === '=' || operator === 'in') {
    const values = splitValues(rest).map((value) => readValue(value, at));
    const [first] = values;
    if (operator === 'in' && first !== undefined) return { field, in: values };
    if (operator === '=' && first !== undefined && values.length === 1)
      return { field, equals: first };
    throw new SyntaxError(
      operator === 'in'
        ? `${at}: write values after “in”, separated by commas.`
        : `${at}: write one value after “=”, or use “in” for several.`,
    );
  }
  throw new SyntaxError(`${at}: write a field and then =, in, exists, or missing.`);
}

/** Splits at the commas that are not between quotes. */
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

function readValue(text: string, at: string): Value {
  if (!text.startsWith('"')) return readBare(text);
  try {
    return String(JSON.parse(text));
  } catch {
    throw new SyntaxError(`${at}: the text in quotes doesn’t end, or has a stray \\ in it.`);
  }
}

function readBare(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
