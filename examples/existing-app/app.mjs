// #region app
import express from 'express';
import { svcRouter } from './svc-router.mjs';

const app = express(); // your app

// The day in the home's time zone, as your ledger has it.
const dueDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' }).format();
const tenant = {
  id: 't-100',
  balance: 152012, // cents
  profile: { first_name: 'Ada', last_name: 'Lane', email: 'ada@example.com' },
  openCharges: [{ id: 'C-1', due_date: dueDate, amount_in_cents: 152012 }],
};

app.use(
  '/api/svc',
  svcRouter({
    currentTenant: () => tenant, // from your session and your ledger
    // In the sandbox, also the tenants of `svc certify`.
    knowsTenant: (externalId) => externalId === tenant.id || externalId.startsWith('certify-'),
    handledIds: new Set(), // a table of yours, so that it survives a restart
    async debit(settlementId, amountInCents) {
      console.log(`Debit ${amountInCents} for ${settlementId}`); // your processor
      return { transactionId: `tr_${settlementId}`, arrived: true };
    },
    credit(externalId, charges) {
      if (externalId !== tenant.id) return;
      for (const { charge_id, amount_in_cents } of charges) {
        tenant.balance -= amount_in_cents; // your ledger
        tenant.openCharges = tenant.openCharges.filter(({ id }) => id !== charge_id);
      }
    },
  }),
);
app.use(express.json());
app.use(express.static('public')); // your pages
app.listen(3000);
// #endregion
