/**
 * The lines of a text, or of a page's markup, that are English, names left out: those of laws and
 * agencies, and the ones given.
 */
export declare function englishIn(text: string, given?: readonly string[]): string[];
