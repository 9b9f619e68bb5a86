import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { TermsPreview } from '../api/terms.ts';

type States = TermsPreview['states'][number];
type Rent = States['rents'][number];

/** Shows what each state would offer within its lending rules. States with the same result share a row. */
export function StatesPreview({ states }: { states: TermsPreview['states'] }) {
  const rents = states[0]?.rents.map((it) => it.amount_in_cents) ?? [];
  return (
    <section className="terms-part" aria-labelledby="draft-states">
      <h2 id="draft-states" className="section-title">
        By state, within the lending rules
      </h2>
      <p className="terms-part__about">
        For each number of payments, the APR of a balance that is due and split on that day.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard. */}
      <section className="svc-table-wrap" tabIndex={0} aria-label="Offers by state">
        <table className="svc-table states">
          <thead>
            <tr>
              <th scope="col">States</th>
              <th scope="col">Limits</th>
              {rents.map((cents) => (
                <th key={cents} scope="col">
                  {formatCents(cents)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {states
              .toSorted((one, other) => one.states.length - other.states.length)
              .map((group) => (
                <tr key={group.states[0]}>
                  <th scope="row">{namesOf(group.states)}</th>
                  <td>{limitsOf(group)}</td>
                  {group.rents.map((rent) => (
                    <td key={rent.amount_in_cents}>
                      {group.offered ? <Costs rent={rent} /> : '–'}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** The most states named in a row. A longer list is only counted: its states are those that no other row names. */
const mostNamed = 12;

function namesOf(states: readonly string[]): string {
  if (states.length > 50) return 'All states';
  return states.length > mostNamed ? `${states.length} others` : states.join(', ');
}

function limitsOf(group: States): string {
  const { offered, needs_apr_limit, maximum_apr_bps, maximum_fee_in_cents, license } = group;
  if (needs_apr_limit) return 'Nothing is offered until a limit on the APR is set';
  if (!offered) return 'Nothing is offered';
  const limits = [
    maximum_apr_bps === null ? null : `APR up to ${(maximum_apr_bps / 100).toFixed(1)}%`,
    maximum_fee_in_cents === null ? null : `fee up to ${formatCents(maximum_fee_in_cents)}`,
    license === null ? null : visibleText(license),
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? 'No limit' : limits.join(', ');
}

function Costs({ rent: { costs } }: { rent: Rent }) {
  if (costs.length === 0) return 'Not offered';
  return costs.map(({ installment_count, apr_bps, exceeds }) => (
    <span key={installment_count} className="states__cost" data-exceeds={exceeds !== null}>
      {installment_count}×{' '}
      {exceeds === null ? (
        `${(apr_bps / 100).toFixed(1)}%`
      ) : (
        <>
          <del>{(apr_bps / 100).toFixed(1)}%</del>{' '}
          {exceeds === 'maximum_apr_bps' ? 'above the APR' : 'above the fee'}
        </>
      )}
    </span>
  ));
}
