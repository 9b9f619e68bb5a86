const names = [
  'Equal Credit Opportunity Act',
  'Consumer Credit Protection Act',
  'Federal Trade Commission, Equal Credit Opportunity, Washington, DC',
];
/** Words that an English sentence can hardly do without, and a Spanish one never has. */
const english =
  /\b(the|of|and|or|you|your|we|us|our|it|its|is|are|was|for|to|by|on|in|from|with|this|that|not|will|can|rent|fee|payment|paid|account|today)\b/i;
/**
 * The lines of a text, or of a page's markup, that are English, names left out: those of laws and
 * agencies, and the ones given.
 */
export function englishIn(text, given = []) {
  const plain = text.replace(/<style>.*?<\/style>/gs, '').replaceAll(/<[^>]*>/g, '\n');
  return [...names, ...given]
    .reduce((rest, name) => rest.replaceAll(name, ''), plain)
    .split('\n')
    .filter((line) => english.test(line));
}
//# sourceMappingURL=english-in.js.map
