import type { Account } from '../../../backend/answers.ts';
import { usd, useWords } from '../../words/use-words.ts';
import { CycleBadge, CycleTable } from '../parts/cycle-table.tsx';
import { Heading } from '../parts/heading.tsx';

/** The ledger: charges and payments by month, newest first. */
export function Payments({ account }: { account: Account }) {
  const { translate, shortDay, monthOf } = useWords();
  return (
    <>
      <Heading title={translate('Payments')}>
        {account.balance_in_cents > 0
          ? translate('{amount} due {day}', {
              amount: usd(account.balance_in_cents),
              day: shortDay(account.due_date),
            })
          : translate('Nothing is due.')}
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
