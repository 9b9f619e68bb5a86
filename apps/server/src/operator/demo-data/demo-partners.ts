/** A building of a demo partner. Its tenants owe rent, or dues to an association, on the same day of each month. */
export interface DemoProperty {
  readonly id: string;
  readonly name: string;
  readonly line1: string;
  readonly city: string;
  readonly state: string;
  readonly postal_code: string;
  readonly time_zone: string;
  /** The day of the month. */
  readonly dueDay: number;
  readonly lowestRentInCents: number;
  /** Set if the homes belong to their owners, who owe dues. */
  readonly isAssociation?: true;
  /** The telephone area code. Its numbers that end with 555 01xx are never given to people. */
  readonly areaCode: string;
}

/** An invented portal. */
export interface DemoPartner {
  readonly pms: string;
  readonly name: string;
  /** The first letter of its tenants' ids. */
  readonly letter: string;
  /** True if it gets what we owe it by payouts; false if it debits us for each settlement. */
  readonly isPaidOut: boolean;
  readonly properties: readonly [DemoProperty, ...DemoProperty[]];
}

export const harbor: DemoPartner = {
  pms: 'demo-harbor',
  name: 'Harbor Point Living',
  letter: 'H',
  isPaidOut: false,
  properties: [
    {
      id: 'harbor-quay',
      name: 'The Quay',
      line1: '410 Water St',
      city: 'Seattle',
      state: 'WA',
      postal_code: '98101',
      time_zone: 'America/Los_Angeles',
      dueDay: 1,
      lowestRentInCents: 189_500,
      areaCode: '206',
    },
    {
      id: 'harbor-loft',
      name: 'Cannery Lofts',
      line1: '77 Cannery Row',
      city: 'Portland',
      state: 'OR',
      postal_code: '97209',
      time_zone: 'America/Los_Angeles',
      dueDay: 5,
      lowestRentInCents: 154_000,
      areaCode: '503',
    },
  ],
};

export const cedar: DemoPartner = {
  pms: 'demo-cedar',
  name: 'Cedar & Stone Homes',
  letter: 'C',
  isPaidOut: false,
  properties: [
    {
      id: 'cedar-oaks',
      name: 'Barton Oaks',
      line1: '1900 Barton Hills Dr',
      city: 'Austin',
      state: 'TX',
      postal_code: '78704',
      time_zone: 'America/Chicago',
      dueDay: 1,
      lowestRentInCents: 132_000,
      areaCode: '512',
    },
    {
      id: 'cedar-mill',
      name: 'Old Mill Townhomes',
      line1: '3 Mill Race Ln',
      city: 'Fort Worth',
      state: 'TX',
      postal_code: '76102',
      time_zone: 'America/Chicago',
      dueDay: 15,
      lowestRentInCents: 141_500,
      areaCode: '817',
    },
    {
      id: 'cedar-mesa',
      name: 'Mesa Verde Flats',
      line1: '88 E Camelback Rd',
      city: 'Phoenix',
      state: 'AZ',
      postal_code: '85012',
      time_zone: 'America/Phoenix',
      dueDay: 3,
      lowestRentInCents: 118_000,
      areaCode: '602',
    },
  ],
};

export const summit: DemoPartner = {
  pms: 'demo-summit',
  name: 'Summit Residential',
  letter: 'S',
  isPaidOut: true,
  properties: [
    {
      id: 'summit-peachtree',
      name: 'Peachtree Commons',
      line1: '1240 Peachtree St NE',
      city: 'Atlanta',
      state: 'GA',
      postal_code: '30309',
      time_zone: 'America/New_York',
      dueDay: 1,
      lowestRentInCents: 127_500,
      areaCode: '404',
    },
    {
      id: 'summit-canal',
      name: 'Canal Street Lofts Association',
      line1: '52 Canal St',
      city: 'Columbus',
      state: 'OH',
      postal_code: '43215',
      time_zone: 'America/New_York',
      dueDay: 20,
      lowestRentInCents: 38_500,
      isAssociation: true,
      areaCode: '614',
    },
  ],
};

export const demoPartners: readonly DemoPartner[] = [harbor, cedar, summit];

/** The property whose collections are paused. */
export const pausedProperty = { partner: cedar, propertyId: 'cedar-mill' };

export const firstNames = [
  'Maya',
  'Jonah',
  'Priya',
  'Elena',
  'Marcus',
  'Hannah',
  'Diego',
  'Aisha',
  'Caleb',
  'Lena',
  'Omar',
  'Grace',
  'Tomas',
  'Naomi',
  'Victor',
  'Simone',
  'Andre',
  'Bianca',
  'Felix',
  'Ruth',
  'Kofi',
  'Ingrid',
  'Mateo',
  'Leila',
  'Owen',
  'Yuki',
  'Derek',
  'Paloma',
  'Nolan',
  'Farah',
  'Silas',
  'Camille',
  'Trevor',
  'Anika',
  'Emmett',
  'Rosa',
  'Julian',
];

export const lastNames = [
  'Alvarez',
  'Bennett',
  'Castillo',
  'Donnelly',
  'Ellison',
  'Fairbanks',
  'Gupta',
  'Hollis',
  'Ibarra',
  'Jacobs',
  'Kowalski',
  'Lindqvist',
  'Mensah',
  'Novak',
  'Okafor',
  'Pruitt',
  'Quintero',
  'Reyes',
  'Sandoval',
  'Tanaka',
  'Underwood',
  'Vaughn',
  'Whitaker',
  'Yamada',
  'Zimmerman',
  'Ashford',
  'Brooks',
  'Chaudhry',
  'Delgado',
  'Erikson',
  'Foster',
  'Greene',
  'Hwang',
  'Iverson',
  'Jensen',
  'Kaplan',
  'Larsen',
  'Morales',
  'Nakamura',
  'Ortega',
  'Petrov',
  'Rahman',
  'Sutton',
  'Thornton',
  'Urbina',
  'Velasco',
  'Walsh',
  'Xiong',
  'Young',
  'Zamora',
  'Abbott',
  'Barlow',
  'Costa',
];
