const letters = { h: 'H', d: 'D', w: 'W', mo: 'M', y: 'Y' } as const;

/** Reads `10d`, `1mo` or `P1M` as a duration of ISO 8601. Null if it is none. */
export function parseDuration(text: string): string | null {
  const [, count, unit] = /^(\d{1,5})(h|d|w|mo|y)$/.exec(text) ?? [];
  if (count && unit) {
    const letter = letters[unit as keyof typeof letters];
    return letter === 'H' ? `PT${count}H` : `P${count}${letter}`;
  }
  return /^P[\dYMWDTHS]+$/.test(text) ? text : null;
}
