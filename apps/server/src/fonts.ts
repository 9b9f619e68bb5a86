/**
 * The folder with the fonts of documents. It is declared here because this file has the same depth in a bundle as in
 * the sources, and a file of `domain` has not.
 */
export const fontsFolder = new URL('../fonts/', import.meta.url);
