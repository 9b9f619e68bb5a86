import { z } from 'zod';

/** Integer cents (USD). */
export const cents = z.int().min(-100_000_000).max(100_000_000);
export const positiveCents = z.int().min(0).max(1_000_000_000);

/** A real civil date, `YYYY-MM-DD`: `2026-02-30` is refused. */
export const isoDate = z.iso.date({ error: 'must be a real date as YYYY-MM-DD' });
/** An instant with any offset, or a date. */
export const moment = z.union([z.iso.datetime({ offset: true }), isoDate]);

/** RFC 3339 in UTC, milliseconds. */
export const instant = z.iso.datetime();

export const pms = z.string().regex(/^[a-z0-9][a-z0-9_-]{1,62}$/, {
  error: 'must be 2 to 63 characters of a-z, 0-9, _ and -, and start with a letter or digit',
});

/** The tenant's id in the partner's system, byte for byte; never a lease's. */
export const externalId = z
  .string()
  .min(1)
  .max(255)
  .refine((id) => !hasControlCharacter(id), { error: 'must not contain control characters' })
  .refine((id) => id.isWellFormed(), { error: 'must be well-formed Unicode' })
  .refine((id) => id !== '.' && id !== '..', { error: 'must not be "." or ".."' });

export const productVariant = z.enum(['rent', 'hoa']);

/** What the tenant may read. */
export const locales = ['en', 'es'] as const;
export type Locale = (typeof locales)[number];
export const locale = z.enum(locales);

/** An origin: scheme, host and port, nothing else. */
export const origin = z
  .string()
  .max(300)
  .refine(isOrigin, { error: 'must be an origin such as https://portal.example, without a path' });

/** Text that people read: no control characters. */
export function text(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .refine((value) => !hasControlCharacter(value), {
      error: 'must not contain control characters',
    })
    .refine((value) => value.isWellFormed(), { error: 'must be well-formed Unicode' });
}

/** ≤ 20 keys, ≤ 500 characters a value. */
export const metadata = z
  .record(text(40), text(500))
  .refine((entries) => Object.keys(entries).length <= 20, { error: 'must have at most 20 keys' });

export const listQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().min(1).max(300).optional(),
};

export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

/**
 * A list whose filters may have to be checked row by row. One page checks a limited number of rows,
 * so it can be short, or empty, and still have a next one.
 */
export function searchedListOf<T extends z.ZodType>(item: T) {
  return listOf(item).extend({
    searched_back_to: instant
      .nullable()
      .describe(
        'Set when the page stopped before it was full: everything newer was searched. `next_cursor` continues from there.',
      ),
  });
}

function hasControlCharacter(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u001f\u007f-\u009f]/.test(value);
}

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return url.origin === value && (url.protocol === 'https:' || url.protocol === 'http:');
}
