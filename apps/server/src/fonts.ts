/** The fonts of documents. In a bundle, this file has the same depth as in the sources, and a domain file has not. */
export const fontsFolder = new URL('../fonts/', import.meta.url);
