import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import type { PreviewedOffers, TermsPreview } from '../api/terms.ts';

/** The offers for one balance under the terms in force and under the new ones. */
export function OffersPreview({ preview }: { preview: TermsPreview }) {
  const { now, new: next, offered_on } = preview;
  const counts = [...now.quotes, ...next.quotes].map((it) => it.installment_count);
  return (
    <section className="terms-part" aria-labelledby="draft-offers">
      <h2 id="draft-offers" className="section-title">
        Offers for a balance due on {formatDate(offered_on)}
      </h2>
      <Refused offers={now} name="Now" />
      <Refused offers={next} name="New" />
      <div className="offers">
        {[...new Set(counts)]
          .toSorted((one, other) => one - other)
          .map((count) => (
            <div key={count} className="offers__pair">
              <h3 className="offers__count">{count} payments</h3>
              <Offer name="Now" offers={now} count={count} />
              <Offer name="New" offers={next} count={count} />
            </div>
          ))}
      </div>
    </section>
  );
}

const reasons = {
  amount_above_cap: 'the balance is above the largest amount',
  amount_below_minimum: 'the balance is below the smallest amount',
};

function Refused({ offers: { refused }, name }: { offers: PreviewedOffers; name: string }) {
  if (refused === null) return null;
  return (
    <p className="terms-part__about">
      {name}: nothing is offered, because {reasons[refused]}.
    </p>
  );
}

function Offer(props: { name: string; offers: PreviewedOffers; count: number }) {
  const quote = props.offers.quotes.find((it) => it.installment_count === props.count);
  return (
    <div className="offers__offer">
      <span className="offers__name">{props.name}</span>
      {quote ? (
        <>
          <span className="offers__cost">
            {formatCents(quote.fee_in_cents)} fee, APR {(quote.apr_bps / 100).toFixed(1)}%
          </span>
          <span className="offers__dates">
            {quote.installments.map(({ due_date, amount_in_cents }) => (
              <span key={due_date}>
                {formatDate(due_date)} <b>{formatCents(amount_in_cents)}</b>
              </span>
            ))}
          </span>
        </>
      ) : (
        <span className="offers__none">Not offered</span>
      )}
    </div>
  );
}
