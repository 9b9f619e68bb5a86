/** The states whose names differ in Spanish. */
const spanishNames: Readonly<Record<string, string>> = {
  'American Samoa': 'Samoa Americana',
  'District of Columbia': 'el Distrito de Columbia',
  Hawaii: 'Hawái',
  Louisiana: 'Luisiana',
  Mississippi: 'Misisipi',
  Missouri: 'Misuri',
  'New Hampshire': 'Nuevo Hampshire',
  'New Jersey': 'Nueva Jersey',
  'New Mexico': 'Nuevo México',
  'New York': 'Nueva York',
  'North Carolina': 'Carolina del Norte',
  'North Dakota': 'Dakota del Norte',
  'Northern Mariana Islands': 'las Islas Marianas del Norte',
  Oregon: 'Oregón',
  Pennsylvania: 'Pensilvania',
  'South Carolina': 'Carolina del Sur',
  'South Dakota': 'Dakota del Sur',
  'Virgin Islands': 'las Islas Vírgenes',
  'West Virginia': 'Virginia Occidental',
};

/** Returns the Spanish name of a state, as it is written after "en". */
export function spanishState(name: string): string {
  return spanishNames[name] ?? name;
}
