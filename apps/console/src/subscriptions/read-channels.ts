/** Splits text at commas or white space into distinct channel names. */
export function readChannels(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))];
}

/** Validates a list of channels as typed, with the service's limits. Returns an error message or null. */
export function checkChannels(text: string): string | null {
  const names = readChannels(text);
  const wrong = names.map(checkChannel).find((words) => words !== null);
  return wrong ?? (names.length > 10 ? 'At most 10 channels.' : null);
}

export function checkChannel(name: string): string | null {
  if (name.length > 100) return 'A channel name has at most 100 characters.';
  if (/^[A-Za-z0-9_.:-]*$/.test(name)) return null;
  return `${name} can’t be a channel. Use only letters, digits, and _ . : -`;
}
