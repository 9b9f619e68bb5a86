import type { Locale } from '@svc/contract';
import { en } from './en.ts';
import { es } from './es.ts';
import type { Words } from './words.ts';

/** The compiler requires an entry for each language of the contract's registry. */
export const wordsByLocale: Readonly<Record<Locale, Words>> = { en, es };
