/**
 * Returns whether a name is an IANA time zone. The calendar and the database can compute with every name that
 * this accepts. It refuses names that only ICU knows: abbreviations such as CST, which also mean other zones
 * elsewhere, and a few that IANA has dropped. Case does not matter.
 */
export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  if (!/^[A-Za-z]/.test(name) || onlyInIcu.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  // Names are case-insensitive, so an attacker could send endless spellings of one zone.
  if (knownZones.size < 1000) knownZones.add(name);
  return true;
}

/** Says what is wrong with a name that `isTimeZone` refuses, and what to pass. */
export function timeZoneProblem(name: string): string {
  const must = 'must be an IANA time zone such as America/Chicago';
  if (/^[A-Z]{3,4}$/i.test(name)) return `${must}, not the abbreviation ${name}`;
  if (/^(UTC|GMT)?[+-]\d/i.test(name)) return `${must}, not an offset`;
  return must;
}

/** A cache of accepted names: creating a formatter takes as long as the rest of the request's parsing. */
const knownZones = new Set<string>();

const onlyInIcu =
  /^(A[CEGRS]T|B[ES]T|C[ANST]T|E[AC]T|I[ES]T|JST|MIT|N[ES]T|P[LNRS]T|[SV]ST|SystemV\/.*|US\/Pacific-New|Canada\/East-Saskatchewan)$/i;
