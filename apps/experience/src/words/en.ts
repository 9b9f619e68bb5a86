import { firstWords } from './en-first.ts';
import { laterWords } from './en-later.ts';

/**
 * All text on screen, in English. Write short, plain sentences in the second person, with the words of
 * docs/glossary.md. Each other language is a file of this shape.
 */
export const en = { ...firstWords, ...laterWords };

export type Words = typeof en;

/** The words of the first load. The components that later screens share with it use no others. */
export type FirstWords = typeof firstWords;
