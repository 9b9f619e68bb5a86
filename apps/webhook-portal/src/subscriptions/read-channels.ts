/** The names in a line of text, each once: separated by commas or white space. */
export function readChannels(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))];
}

/** What is wrong with them as typed, or null; the service has the same limits. */
export function checkChannels(text: string): string | null {
  const names = readChannels(text);
  const wrong = names.map(checkChannel).find((words) => words !== null);
  return wrong ?? (names.length > 10 ? 'At most 10 channels.' : null);
}

export function checkChannel(name: string): string | null {
  if (name.length > 100) return 'A channel’s name has at most 100 characters.';
  if (/^[A-Za-z0-9_.:-]*$/.test(name)) return null;
  return `${name} can’t be a channel: take letters, digits and _ . : - only.`;
}
