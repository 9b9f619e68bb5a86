import { closestNames, either, type FieldCode, type FieldError } from '@svc/contract';
import type { z } from 'zod';
import { Refusal } from '../../domain/refusal.ts';
import { knownFields } from './known-fields.ts';

type Issue = z.core.$ZodIssue;

/** A refusal that names the first invalid fields. */
export function validationFailed(errors: readonly FieldError[]): Refusal {
  return new Refusal('validation_failed', { errors });
}

/** Comparing names takes time, and a body may have many thousands of unknown ones. */
const mostSuggestions = 10;

/** Describes the mistake in each field of a value that `schema` refused. */
export function fieldErrors(issues: readonly Issue[], schema: z.ZodType): FieldError[] {
  let suggestions = 0;
  return issues.flatMap(expand).map(({ issue, path }) => {
    const code = codeOf(issue);
    const isComparable =
      issue.code === 'unrecognized_keys' ||
      (issue.code === 'invalid_value' && typeof issue.input === 'string');
    const isCompared = isComparable && ++suggestions <= mostSuggestions;
    const message =
      isCompared && issue.code === 'unrecognized_keys'
        ? describeUnknown(String(path.at(-1)), knownFields(schema, issue.path), 'this call')
        : messageOf(issue, code, path);
    const suggestion =
      isCompared && issue.code === 'invalid_value' ? suggestValue(issue.input, issue.values) : '';
    return { param: nameOf(path), code, message: `${message}${suggestion}` };
  });
}

/** `. Did you mean "active"?`, or nothing where no allowed value is close. */
function suggestValue(given: unknown, values: readonly z.core.util.Primitive[]): string {
  const known = values.filter((value) => typeof value === 'string');
  const closest = closestNames(String(given), known).map((value) => JSON.stringify(value));
  return closest.length > 0 ? `. Did you mean ${either(closest)}?` : '';
}

/** Says that an object has no such field, and suggests similar ones. */
export function describeUnknown(name: string, known: readonly string[], owner: string): string {
  const closest = closestNames(name, known);
  if (closest.length > 0) return `is not a field of ${owner}. Did you mean ${either(closest)}?`;
  return `is not a field of ${owner}: remove it`;
}

interface Placed {
  readonly issue: Issue;
  readonly path: readonly PropertyKey[];
}

/** One issue for each unknown key; for an invalid key of a record, the issue with that key. */
function expand(issue: Issue): Placed[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ issue, path: [...issue.path, key] }));
  }
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return [{ issue: inner ?? issue, path: issue.path }];
}

function codeOf(issue: Issue): FieldCode {
  if (issue.code === 'unrecognized_keys') return 'unknown_field';
  if (issue.code === 'custom') return (issue.params?.code as FieldCode) ?? 'invalid_value';
  if (issue.input === undefined && issue.code !== 'invalid_union') return 'required';
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'never' ? 'unknown_field' : 'invalid_type';
    case 'too_small':
    case 'too_big':
      return issue.code;
    case 'invalid_format':
      return issue.format === 'date' ? 'invalid_date' : 'invalid_format';
    default:
      return 'invalid_value';
  }
}

function messageOf(issue: Issue, code: FieldCode, path: readonly PropertyKey[]): string {
  if (code === 'required') return 'is required';
  if (code === 'unknown_field') return 'is not a field of this call: remove it';
  // The contract has its own message for the field.
  if (issue.message.startsWith('must ')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      if (String(path.at(-1)).endsWith('_in_cents')) {
        return 'must be a whole number of cents, such as 152012 for $1,520.12';
      }
      return `must be ${kindNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`.replace(
        /, (?=[^,]*$)/,
        ' or ',
      );
    case 'too_small':
      return `must ${verbs[issue.origin] ?? 'be'} at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `must ${verbs[issue.origin] ?? 'be'} at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'of the documented format'}`;
    case 'invalid_union':
      return 'must be one of the documented forms';
    default:
      return issue.message;
  }
}

const kindNames: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text in quotes',
};
const formats: Record<string, string> = {
  date: 'a real date as YYYY-MM-DD',
  datetime: 'an instant such as 2026-02-01T18:00:00Z',
};
const verbs: Record<string, string> = { array: 'have', string: 'have' };

function unitOf(origin: string, count: number | bigint): string {
  const unit = { array: ' item', string: ' character' }[origin];
  return unit === undefined ? '' : `${unit}${Number(count) === 1 ? '' : 's'}`;
}

/** `charges[0].due_date`. */
export function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? String(part) : `${name}.${String(part)}`;
  }, '');
}
