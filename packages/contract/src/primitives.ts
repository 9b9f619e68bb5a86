import { z } from 'zod';
import { field, loggedField, named } from './describe-schema.ts';
import {
  earliestDate,
  largestAmountInCents,
  largestTotalInCents,
  latestDate,
  noEndDate,
} from './limits.ts';
import { locales } from './locales.ts';
import { environments, productVariants } from './vocabulary.ts';

/** Integer cents (USD) in a response. Its range includes sums. */
export const cents = z.int().min(-largestTotalInCents).max(largestTotalInCents);
export const positiveCents = z.int().min(0).max(largestTotalInCents);

/** Integer cents (USD) in a request; negative is a credit. */
export const amountInput = z.int().min(-largestAmountInCents).max(largestAmountInCents);
export const positiveAmountInput = z.int().min(0).max(largestAmountInCents);

/** A calendar date, `YYYY-MM-DD`; `2026-02-30` is refused. */
export const isoDate = z.iso.date({ error: 'must be a real date as YYYY-MM-DD', abort: true });

/** An instant, RFC 3339 in UTC, milliseconds. */
export const instant = z.iso.datetime();

const range = `from ${earliestDate} to ${latestDate}`;
// JSON Schema has no minimum for a date, so the published pattern limits the year.
const supportedYear = '(19|20|21)\\d\\d';

/** A date in a request. */
export const dateInput = isoDate
  .refine(isSupported, { error: `must be ${range}`, params: { code: 'invalid_date' } })
  .meta({ pattern: `^${supportedYear}-\\d\\d-\\d\\d$`, description: `A date ${range}.` });

/** An end that may be open: `9999-12-31` means null. */
export const endDateInput = isoDate
  .refine((date) => date === noEndDate || isSupported(date), {
    error: `must be ${range}; for no end, pass null or ${noEndDate}`,
    params: { code: 'invalid_date' },
  })
  .transform((date) => (date === noEndDate ? null : date))
  .meta({ pattern: `^(${supportedYear}-\\d\\d-\\d\\d|${noEndDate})$` })
  .nullable()
  .describe(`A date ${range}. For no end, null or ${noEndDate}.`);

/** An instant in a request. */
export const instantInput = z.iso
  .datetime({ error: 'must be an instant such as 2026-02-01T18:00:00Z', abort: true })
  .refine(isSupported, { error: `must be ${range}`, params: { code: 'invalid_date' } })
  .meta({ pattern: `^${supportedYear}-.*Z$`, description: `An instant in UTC ${range}.` });

/** An instant with any offset, or a date. */
export const moment = z
  .union(
    [
      z.iso.datetime({ offset: true, abort: true }).meta({ pattern: `^${supportedYear}-` }),
      isoDate.meta({ pattern: `^${supportedYear}-` }),
    ],
    { error: 'must be an instant such as 2026-02-01T18:00:00Z, or a date' },
  )
  .refine(isSupported, { error: `must be ${range}`, params: { code: 'invalid_date' } })
  .describe(`An instant or a date ${range}.`);

export const pms = z.string().regex(/^[a-z0-9][a-z0-9_-]{1,62}$/, {
  error: 'must be 2 to 63 characters of a-z, 0-9, _ and -, and start with a letter or digit',
});

const control = '\\u0000-\\u001f\\u007f-\\u009f';

/** Accepts one line of text without control characters and without the characters of `without`. */
export function text(max: number, { without = '' } = {}) {
  const error = `must not contain control characters${without && ` or ${without}`}`;
  return lineMatching(max, new RegExp(`^[^${control}${without}]*$`), error);
}

// White space and Unicode's default ignorable code points below U+10000. Written out, because the
// pattern is published and many regular expression engines do not support \p{...}.
const invisible =
  '\\s\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8';
const visible = new RegExp(`^[^${control}]*[^${control}${invisible}][^${control}]*$`);

/** Accepts text for people, such as a name: it must contain a visible character. */
export function visibleText(max: number) {
  const error = 'must have a visible character, and no control characters';
  return lineMatching(max, visible, error).refine(
    // The ignorable code points above U+10000.
    (value) => /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(value),
    { error },
  );
}

/** The tenant's id in the partner's system, compared byte for byte. Not the id of a lease. */
export const externalId = loggedField(
  lineMatching(
    255,
    new RegExp(`^[^${control}]*([^.${control}]|\\.{3})[^${control}]*$`),
    'must not contain control characters, and not be "." or ".."',
  ),
  'The tenant’s id in your system, compared byte for byte. Not the id of a lease, which roommates share.',
  't-100',
);

/**
 * Counts characters as JSON Schema does, so an emoji is one. A text that is too long is not matched
 * against the pattern, which takes quadratic time. There is only one pattern, because client
 * generators support one.
 */
function lineMatching(max: number, pattern: RegExp, error: string) {
  return z
    .string()
    .min(1, { abort: true })
    .refine((value) => value.length <= max || Array.from(value).length <= max, {
      error: `must have at most ${max} characters`,
      params: { code: 'too_big' },
      abort: true,
    })
    .meta({ maxLength: max })
    .regex(pattern, { error, abort: true })
    .refine((value) => value.isWellFormed(), { error: 'must be well-formed Unicode' });
}

// Atoms of RFC 5322 (3.2.3) and labels of a host name, both with the characters that RFC 6531 adds.
const atom = `[^\\s${control}"(),.:;<>@[\\\\\\]]+`;
const letter = `[^\\s\\u0000-@[-\`{-\\u009f]`;
const letterOrDigit = `[^\\s\\u0000-/:-@[-\`{-\\u009f]`;
const restOfLabel = `(?:[^\\s\\u0000-,./:-@[-\`{-\\u009f]*${letterOrDigit})`;
const emailPattern = new RegExp(
  `^${atom}(?:\\.${atom})*@(?:${letterOrDigit}${restOfLabel}?\\.)+${letter}${restOfLabel}$`,
);

/** An address as RFC 5322 (dot-atom) and RFC 6531 allow it. A quoted local part is not supported. */
export const email = z
  .string()
  .max(254, { abort: true })
  .regex(emailPattern, { error: 'must be an e-mail address such as ada@example.com', abort: true })
  .refine((value) => !/[\p{Default_Ignorable_Code_Point}\p{C}]/u.test(value), {
    error: 'must not contain invisible characters',
  })
  .refine((value) => octets(value) <= 254 && octets(value.split('@', 1)[0] ?? '') <= 64, {
    error: 'must have at most 254 bytes, and at most 64 before the @',
  })
  .describe('An e-mail address of at most 254 bytes in UTF-8, with at most 64 before the @.');

export const productVariant = named(
  'ProductVariant',
  'The kind of charge a tenant splits: rent, or dues to a homeowners’ association (`hoa`).',
  z.enum(productVariants),
  'rent',
);
export const environment = named(
  'Environment',
  'In the sandbox no money moves. Each environment has its own keys, tenants and endpoints.',
  z.enum(environments),
  'sandbox',
);
export const locale = z.enum(locales);

const exactOrigin = /^https?:\/\/([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/;

/** An exact origin: scheme, host and port, nothing else, and as a browser would send it. */
export const origin = z
  .string()
  .trim()
  .max(300)
  .regex(exactOrigin, { error: ({ input }) => originProblem(String(input)), abort: true })
  .refine(isExactOrigin, { error: ({ input }) => originProblem(String(input)) })
  .meta({
    description: 'One exact origin as a browser sends it, such as https://portal.example.',
    example: 'https://portal.example',
  });

/** Returns whether a browser could send this as its `Origin`. A wildcard is not exact. */
export function isExactOrigin(value: string): boolean {
  return exactOrigin.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

/** At most 20 keys, with values of at most 500 characters. */
export const metadata = atMost(20, 'keys', z.record(text(40), text(500)));

type Texts = Record<string, string>;

/**
 * Bounds the entries of a record, and counts them before it checks each one. A body can hold thousands of them,
 * and checking those takes milliseconds.
 */
export function atMost(most: number, things: string, record: z.ZodType<Texts, Texts>) {
  return z
    .transform((entries: Texts, context) => {
      if (isObject(entries) && Object.keys(entries).length > most) {
        const message = `must have at most ${most} ${things}`;
        context.issues.push({ code: 'custom', message, input: entries });
      }
      return entries;
    })
    .pipe(record)
    .meta({ maxProperties: most });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The size of a page of a list. */
export const pageLimit = z.coerce.number().int().min(1).max(100);
const cursorInput = z.string().min(1).max(300).optional();

export const listQuery = {
  limit: loggedField(pageLimit.default(20), 'The largest number of items to return.', 20),
  cursor: field(
    cursorInput,
    'The `next_cursor` of the previous page. Leave it out for the first page.',
  ),
};

/** Query of a list whose cursor is the id of the last item shown. Ids have a prefix and 26 characters. */
export function listByIdQuery(prefix: string) {
  const id = new RegExp(`^${prefix}_[0-9a-z]{26}$`);
  return {
    ...listQuery,
    cursor: field(
      z
        .string()
        .refine((cursor) => id.test(cursor), {
          error: 'must be the next_cursor of the previous page, unchanged',
        })
        .meta({ minLength: 1, maxLength: 300 })
        .optional(),
      'The `next_cursor` of the previous page. Leave it out for the first page.',
    ),
  };
}

/** Query of a list that is short enough to be returned whole, in one page of 100 by default. */
export const shortListQuery = z.strictObject({
  ...listQuery,
  limit: loggedField(pageLimit.default(100), 'The largest number of items to return.', 100),
});

/** A boolean in a query string. */
export const queryBoolean = z.enum(['true', 'false']).transform((value) => value === 'true');

/** A page of a list. Its name in the OpenAPI document is the item’s name and `List`. */
export function listOf<T extends z.ZodType>(item: T) {
  const page = z.object({
    items: field(z.array(item), 'The items of this page.'),
    next_cursor: field(
      z.string().nullable(),
      'Pass it as `cursor` to get the next page. Null on the last page.',
      null,
    ),
  });
  return namedAfter(item, 'List', 'A page of a list.', page);
}

/**
 * A list whose filters are checked row by row. One page checks a limited number of rows, so it can be
 * short or empty and still have a next page.
 */
export function searchedListOf<T extends z.ZodType>(item: T) {
  const page = listOf(item).extend({
    searched_back_to: field(
      instant.nullable(),
      'Set when the page stopped before it was full: everything newer was searched. `next_cursor` continues from there.',
      null,
    ),
  });
  return namedAfter(item, 'SearchList', 'A page of a filtered list.', page);
}

/** Gives a list the name of its items and a suffix. A list of items without a name gets none. */
function namedAfter<T extends z.ZodType>(
  item: z.ZodType,
  suffix: string,
  description: string,
  list: T,
): T {
  const name = item.meta()?.id;
  return name === undefined ? list : named(name + suffix, description, list);
}

function originProblem(value: string): string {
  const must = 'must be an exact origin such as https://portal.example';
  if (value.includes('*')) return `${must}: wildcards are not supported, list each host`;
  if (!/^https?:\/\//i.test(value)) return `${must}: start it with https:// or http://`;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.hostname.endsWith('.')) return `${must}: take out the dot after the host`;
  return url && isExactOrigin(url.origin) ? `${must}: pass ${url.origin}` : must;
}

/** Both are ISO 8601, so the first ten characters compare as dates. */
function isSupported(moment: string): boolean {
  const date = moment.slice(0, 10);
  return earliestDate <= date && date <= latestDate;
}

function octets(value: string): number {
  return new TextEncoder().encode(value).length;
}
