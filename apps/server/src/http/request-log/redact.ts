import type { LoggedFields } from './logged-fields.ts';

/** Replaces a value that is not stored. */
export const redacted = '[redacted]';

// Ids, dates, choices and origins. No spaces and no "@", so no name, address or e-mail address.
const plainText = /^[A-Za-z0-9_.:/#-]{1,100}$/;
// Random secrets are one run of characters. Our longest id has 30; a UUID has 32 without dashes.
const longRun = /[A-Za-z0-9+/=_]{33}/;
const secretPrefix =
  /svc_[a-z]+_|whsec_|\b[sprk]k[_-]|xox[a-z]-|gh[opsu]_|\bA[KS]IA[0-9A-Z]{12}|AIza[0-9A-Za-z_-]{30}/i;
const jsonWebToken = /^eyJ[A-Za-z0-9_-]+\./;
// 123-45-6789 and 512-555-0147. Without separators they look like any partner's numeric id.
const socialSecurityNumber = /^\d{3}-\d{2}-\d{4}$/;
const phoneNumber = /^(?:1[-.])?\d{3}[-.]\d{3}[-.]\d{4}$/;
const personalShapes = [secretPrefix, jsonWebToken, socialSecurityNumber, phoneNumber];
const plainName = /^[a-z][a-z0-9_]{0,39}$/;

/** Returns whether a text looks like an id, a date or a choice, and not like a secret. */
export function isPlain(value: string): boolean {
  if (!plainText.test(value) || longRun.test(value)) return false;
  return !personalShapes.some((shape) => shape.test(value)) && !isCardNumber(value);
}

/** 13 to 19 digits, also in groups, whose last one is the check digit of the others (Luhn). */
function isCardNumber(value: string): boolean {
  const digits = value.replaceAll('-', '');
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const doubled = Number(digits.at(-1 - place)) * (place % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Copies a `User-Agent`, of which each word has to look like the name of a program and its version. */
export function redactUserAgent(value: string): string {
  const words = value.slice(0, 200).split(' ');
  return words
    .map((word) => (isPlain(word.replace(/[()[\],;]/g, '') || '-') ? word : redacted))
    .join(' ');
}

interface Redaction {
  readonly value: unknown;
  /** The texts that were left out, up to a limit. An error message that repeats one is redacted, too. */
  readonly hidden: ReadonlySet<string>;
}

// The most characters of JSON that are read. This also limits the time that one body takes.
const largestBody = 8_000;
const mostItems = 20;
// An honest body hides some dozens. A body of 14 kB of metadata hid 3,800 texts, and looking for each of
// them in 22 messages took 12 to 49 ms.
const mostHidden = 500;
const cutNote = '[more was cut]';

/**
 * Copies a JSON body with the values that may be stored. A field that is not in `logged`, such as one that
 * the API does not have, is replaced. Reads at most about 8,000 characters.
 */
export function redactBody(body: unknown, logged: LoggedFields): Redaction {
  const { paths, numbers, containers } = logged;
  const hidden = new Set<string>();
  let budget = largestBody;
  return { value: copy(body, ''), hidden };

  function copy(value: unknown, path: string): unknown {
    budget -= 12;
    if (budget < 0) return cutNote;
    if (value === null || value === undefined) return null;
    if (Array.isArray(value)) return copyList(value, path);
    if (typeof value === 'object') return copyObject(value as Record<string, unknown>, path);
    if (!paths.has(path)) return hide(value);
    if (typeof value === 'number') return numbers.has(path) ? value : hide(value);
    if (typeof value !== 'string') return value;
    budget -= Math.min(value.length, 100);
    return isPlain(value) ? value : hide(value);
  }

  function copyList(list: readonly unknown[], path: string): unknown {
    const inner = `${path}[]`;
    if (!containers.has(path)) return hide(list);
    const items = list.slice(0, mostItems).map((item) => copy(item, inner));
    return list.length > mostItems ? [...items, `[${list.length - mostItems} more]`] : items;
  }

  function copyObject(object: Record<string, unknown>, path: string): unknown {
    if (path !== '' && !containers.has(path)) return hide(object);
    const copied: [string, unknown][] = [];
    for (const name in object) {
      if (budget < 0) {
        copied.push(['…', cutNote]);
        break;
      }
      budget -= name.length;
      const inner = path === '' ? name : `${path}.${name}`;
      const known = plainName.test(name) || paths.has(inner) || containers.has(inner);
      if (!known) hidden.add(name);
      copied.push([known ? name : '[redacted field]', copy(object[name], inner)]);
    }
    return Object.fromEntries(copied);
  }

  function hide(value: unknown): string {
    collectTexts(value, 0);
    return redacted;
  }

  /** Collects the texts of a value that is left out. */
  function collectTexts(value: unknown, depth: number): void {
    budget -= 4;
    if (budget < 0 || depth > 6 || hidden.size > mostHidden) return;
    if (typeof value === 'string' || typeof value === 'number') hidden.add(String(value));
    else if (typeof value === 'object' && value !== null) {
      for (const name in value) {
        if (hidden.size > mostHidden) return;
        hidden.add(name);
        collectTexts((value as Record<string, unknown>)[name], depth + 1);
      }
    }
  }
}

/** The name of a field in an error, such as `charges[0].id`. */
export function redactParam(param: string, shared: readonly string[] | null): string {
  return /^[a-z0-9_.[\]-]{0,80}$/i.test(param) ? redactText(param, shared) : redacted;
}

/** Copies a query with the values that may be stored. */
export function redactQuery(
  query: Readonly<Record<string, unknown>>,
  { paths }: LoggedFields,
): Record<string, string> {
  const entries = Object.entries(query).slice(0, mostItems);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const shown = paths.has(name) && typeof value === 'string';
      const parts = shown ? value.split(',') : [];
      const plain = shown && parts.every(isPlain) && value.length <= 200;
      return [plainName.test(name) ? name : '[redacted field]', plain ? value : redacted];
    }),
  );
}

const longestText = 1_000;
/** Shorter texts are not looked for: a single letter is part of any sentence. */
const shortestHidden = 3;
// An honest body shares a few words with the messages about it. More cost time for each message.
const mostShared = 100;

/**
 * Finds the hidden texts that can occur in some messages, longest first; null if there are too many to
 * look for. Messages are indexed by runs of three letters, so a hidden text that is in none of them costs
 * a look-up.
 */
export function sharedTexts(
  hidden: ReadonlySet<string>,
  messages: readonly string[],
): readonly string[] | null {
  if (hidden.size > mostHidden) return null;
  const runs = new Set<string>();
  for (const message of messages) {
    const end = Math.min(message.length, longestText) - shortestHidden;
    for (let at = 0; at <= end; at += 1) runs.add(message.slice(at, at + shortestHidden));
  }
  const shared: string[] = [];
  for (const text of hidden) {
    if (text.length < shortestHidden || text.length > longestText) continue;
    if (!runs.has(text.slice(0, shortestHidden)) || !runs.has(text.slice(-shortestHidden)))
      continue;
    if (shared.length === mostShared) return null;
    shared.push(text);
  }
  return shared.sort((a, b) => b.length - a.length);
}

/**
 * Replaces the hidden texts in one of our messages, and quoted texts that are not ids. `shared` is the result
 * of `sharedTexts`; if it is null, the whole message is replaced.
 */
export function redactText(text: string, shared: readonly string[] | null): string {
  if (shared === null) return redacted;
  let result = text
    .slice(0, longestText)
    // A quotation without its end reaches to the end of the text, so nothing is read twice.
    .replace(/"((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)/g, (all, quoted) =>
      isPlain(quoted) ? all : `"${redacted}"`,
    );
  // Long ones first, because they may contain short ones.
  for (const value of shared) result = result.replaceAll(value, redacted);
  return result;
}
