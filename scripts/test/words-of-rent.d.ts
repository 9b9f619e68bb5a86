/** The words for rent in a text that an owner reads, each with what is around it. */
export declare function wordsOfRent(text: string): string[];
