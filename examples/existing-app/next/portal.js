// #region portal
// Your app: its sessions, its ledger, and its processor.

// The day in the home's time zone, as your ledger has it.
const dueDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' }).format();

// Stands for your database. Next.js may load this file once for each route, so it is global.
globalThis.portal ??= {
  handledIds: new Set(),
  tenant: {
    id: 't-100',
    balance: 152012, // cents
    profile: { first_name: 'Ada', last_name: 'Lane', email: 'ada@example.com' },
    openCharges: [{ id: 'C-1', due_date: dueDate, amount_in_cents: 152012 }],
  },
};
const { tenant } = globalThis.portal;

export const { handledIds } = globalThis.portal;

export const currentTenant = () => tenant; // from your session and your ledger

// In the sandbox, also the tenants of `svc certify`.
export const knowsTenant = (externalId) =>
  externalId === tenant.id || externalId.startsWith('certify-');

export async function debit(settlementId, amountInCents) {
  console.log(`Debit ${amountInCents} for ${settlementId}`); // your processor
  return { transactionId: `tr_${settlementId}`, arrived: true };
}

export async function credit(externalId, charges) {
  if (externalId !== tenant.id) return;
  for (const { charge_id, amount_in_cents } of charges) {
    tenant.balance -= amount_in_cents; // your ledger
    tenant.openCharges = tenant.openCharges.filter(({ id }) => id !== charge_id);
  }
}
// #endregion
