/** The names in a line of text, each once: what parts them is a comma or white space. */
export function readChannels(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))];
}

/** What is wrong with them as typed, or null; the service has the same limits. */
export function checkChannels(text: string): string | null {
  const names = readChannels(text);
  const strange = names.find((name) => !/^[A-Za-z0-9_.:-]{1,100}$/.test(name));
  if (strange !== undefined) {
    return strange.length > 100
      ? 'A channel’s name has at most 100 characters.'
      : `${strange} can’t be a channel: take letters, digits and _ . : - only.`;
  }
  return names.length > 10 ? 'At most 10 channels.' : null;
}
