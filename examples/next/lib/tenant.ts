export interface Tenant {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  balanceInCents: number;
}

/** The signed-in tenant. Yours comes from your session and your database. */
export async function currentTenant(): Promise<Tenant> {
  return {
    id: 't-100',
    firstName: 'Ada',
    lastName: 'Lane',
    email: 'ada@example.com',
    balanceInCents: 152012,
  };
}
