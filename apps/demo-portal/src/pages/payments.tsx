import type { Account } from '../../backend/answers.ts';
import { monthOf, shortDay, usd } from '../format.ts';
import { CycleBadge, CycleTable } from '../parts/cycle-table.tsx';
import { Heading } from '../parts/heading.tsx';

/** The ledger: charges and payments by month, newest first. */
export function Payments({ account }: { account: Account }) {
  return (
    <>
      <Heading title="Payments">
        {account.balance_in_cents > 0
          ? `${usd(account.balance_in_cents)} due ${shortDay(account.due_date)}`
          : 'Nothing is due.'}
      </Heading>
      <div className="months">
        {account.cycles.map((cycle) => (
          <section key={cycle.due_date} className="svc-card svc-card--flush">
            <h2 className="card__title">
              {monthOf(cycle.due_date)}
              <CycleBadge cycle={cycle} />
            </h2>
            <CycleTable cycle={cycle} />
          </section>
        ))}
      </div>
    </>
  );
}
