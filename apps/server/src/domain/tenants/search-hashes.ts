import type { Vault } from '@svc/runtime';

/**
 * Bits that are stored of each HMAC. With a million tenants, about five other words share each value, so that two
 * equal values do not prove that two tenants share a word. The search decrypts what was found and compares it.
 */
const storedBits = 20;

/**
 * The most words of a name that are indexed. Later ones are not found, so that a name of 10,000 words does not make
 * 10,000 entries of the index.
 */
const mostWords = 8;

/** The parts of personal data that a tenant can be found by. */
interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phoneNumber: string | null;
}

/** Something that a tenant can be found by: a word of the name, the e-mail address or the phone number. */
type Term = `${'name' | 'email' | 'phone'} ${string}`;

/** The values of `tenant.search_hashes` for this personal data, made with the first key of the vault. */
export function searchHashes(vault: Vault, data: Person): number[] {
  const hashes = termsOf(data).map((term) => hash(vault.digests(purpose + term)[0]));
  return [...new Set(hashes)].sort((one, other) => one - other);
}

/** A search for tenants by something personal. */
export interface PersonalQuery {
  /** For each key of the vault, the values that `tenant.search_hashes` of a found tenant contains. */
  readonly hashes: readonly (readonly number[])[];
  /** Returns whether the query means this person. The hashes alone also match others. */
  matches(data: Person): boolean;
}

/**
 * Reads a query as an e-mail address, a phone number or words of a name. Words are found whole and in any order;
 * case and accents do not count. Undefined if nothing is left to search for.
 */
export function readPersonalQuery(vault: Vault, query: string): PersonalQuery | undefined {
  const terms = termsOfQuery(query);
  if (terms.length === 0) return undefined;
  const digests = terms.map((term) => vault.digests(purpose + term));
  return {
    hashes: vault.fingerprints.map((_, key) =>
      digests.map((ofKeys) => hash(ofKeys[key] ?? ofKeys[0])),
    ),
    matches(data) {
      const known = new Set(termsOf(data));
      return terms.every((term) => known.has(term));
    },
  };
}

/** Keeps these digests apart from others that the vault makes of the same text. */
const purpose = 'find tenant by ';

function termsOf({ firstName, lastName, email, phoneNumber }: Person): Term[] {
  const phone = phoneNumber === null ? '' : digitsOf(phoneNumber);
  return [
    ...wordsOf(`${firstName} ${lastName}`).map((word) => `name ${word}` as const),
    ...(email === '' ? [] : [`email ${normalize(email).trim()}` as const]),
    ...(phone === '' ? [] : [`phone ${phone}` as const]),
  ];
}

function termsOfQuery(query: string): Term[] {
  if (query.includes('@')) return [`email ${normalize(query).trim()}`];
  const digits = digitsOf(query);
  const isPhone = digits.length >= 7 && !/\p{L}/u.test(query);
  return isPhone ? [`phone ${digits}`] : wordsOf(query).map((word) => `name ${word}` as const);
}

function wordsOf(name: string): string[] {
  return normalize(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, mostWords);
}

function normalize(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The last ten digits, so that a number is found with and without the country's code. */
function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, '').slice(-10);
}

function hash(digest: Buffer): number {
  return digest.readUInt32BE(0) >>> (32 - storedBits);
}
