/** Returns the words for rent in a text that an owner reads, each with the text around it. */
export declare function wordsOfRent(text: string): string[];
