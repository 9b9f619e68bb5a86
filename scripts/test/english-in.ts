const names = [
  'Equal Credit Opportunity Act',
  'Consumer Credit Protection Act',
  'Federal Trade Commission, Equal Credit Opportunity, Washington, DC',
];

/** Words that most English sentences contain and Spanish ones never do. */
const english =
  /\b(the|of|and|or|you|your|we|us|our|it|its|is|are|was|for|to|by|on|in|from|with|this|that|not|will|can|rent|fee|payment|paid|account|today)\b/i;

/**
 * Returns the English lines of a text or of a page's markup. Names of laws and agencies, and the given
 * names, are ignored.
 */
export function englishIn(text: string, ignored: readonly string[] = []): string[] {
  const plain = text.replace(/<style>.*?<\/style>/gs, '').replaceAll(/<[^>]*>/g, '\n');
  return [...names, ...ignored]
    .reduce((rest, name) => rest.replaceAll(name, ''), plain)
    .split('\n')
    .filter((line) => english.test(line));
}
