/** The states, the district and the territories, by their postal codes. */
const namesByCode = {
  AL: 'Alabama',
  AK: 'Alaska',
  AS: 'American Samoa',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  GU: 'Guam',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  MP: 'Northern Mariana Islands',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  PR: 'Puerto Rico',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VI: 'Virgin Islands',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
};

/** The postal codes of all states, in the order of their names. */
export const allStates: readonly string[] = Object.keys(namesByCode);

const codesByName = new Map(
  Object.entries(namesByCode).flatMap(([code, name]) => [
    [code, code],
    [keyOf(name), code],
  ]),
);

/** Returns the postal code of a state that a portal wrote as `TX`, `tx ` or `Texas`; null if it is none. */
export function stateCode(text: string | null | undefined): string | null {
  return codesByName.get(keyOf(text ?? '')) ?? null;
}

/** Returns the name of the state with this postal code; null if there is none. */
export function stateName(code: string): string | null {
  return Object.hasOwn(namesByCode, code) ? namesByCode[code as keyof typeof namesByCode] : null;
}

function keyOf(text: string): string {
  return text
    .trim()
    .replaceAll(/[\s.]+/g, ' ')
    .trim()
    .toUpperCase();
}
