import { z } from 'zod';

// The types of settings. Each error completes a sentence that starts with the name of the setting.

/** A whole number from `least` to `most`. `what` completes "must be", such as "a port". */
export function wholeNumber(what: string, least: number, most = Number.MAX_SAFE_INTEGER) {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const error = `must be ${what} ${range}`;
  return z.coerce.number({ error }).int(error).min(least, error).max(most, error);
}

/** A number from `least` to `most`. `what` completes "must be". */
export function numberFrom(what: string, least: number, most: number) {
  const error = `must be ${what} from ${least} to ${most}`;
  return z.coerce.number({ error }).min(least, error).max(most, error);
}

export const portNumber = wholeNumber('a port', 0, 65_535);
export const positiveCount = wholeNumber('a whole number', 1);

export const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((value) => value === '1' || value === 'true');

export const lineOfText = z
  .string()
  .regex(/^[^\p{Cc}]{1,200}$/u, { error: 'must be one line of at most 200 characters' });

/** A list of texts, separated by commas or spaces. */
export const listOfTexts = z
  .string()
  .transform((text): readonly string[] => text.split(/[\s,]+/).filter((part) => part !== ''));

export function httpUrl(example: string) {
  return z.string().refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), {
    error: `must be a URL such as ${example}`,
  });
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
