/**
 * Words that are right for a tenant who pays rent, and wrong for an owner who pays dues. "Resident or owner
 * portal" is right where the page can't know who reads it.
 */
const patterns = [
  /\brent(s|ed|er|ers)?\b|\blandlords?\b|\btenants?\b|\bleases?\b|\bproperty managers?\b/gi,
  /\broommates?\b|\bresident portal\b|\bmove out\b/gi,
  /\brentas?\b|\barrenda\w*|\binquilin\w*|\balquiler\w*|\bcaseros?\b/gi,
  /\badministra(ción|dor) de la propiedad\b|\bportal de residentes(?! o )|\bcompañeros de casa\b/gi,
];

/** Returns the words for rent in a text that an owner reads, each with the text around it. */
export function wordsOfRent(text: string): string[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: word }) =>
      text.slice(Math.max(0, index - 30), index + word.length + 30),
    ),
  );
}
