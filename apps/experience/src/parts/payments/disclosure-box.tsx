import type { QuoteOutput } from '@svc/contract';
import { formatMoney, formatPercent } from '../../format/money.ts';
import { useWords } from '../../words/use-words.ts';

/** The cost disclosures of 12 CFR 1026.18, in their order: rate, charge, financed, total. */
export function DisclosureBox({ quote }: { quote: QuoteOutput }) {
  const { words, locale } = useWords();
  const { consent } = words;
  const cells = [
    {
      term: consent.apr,
      value: formatPercent(quote.apr_bps, locale),
      note: consent.aprNote,
      strong: true,
    },
    {
      term: consent.charge,
      value: formatMoney(quote.finance_charge_in_cents, locale),
      note: consent.chargeNote,
      strong: true,
    },
    {
      term: consent.financed,
      value: formatMoney(quote.amount_financed_in_cents, locale),
      note: consent.financedNote,
      strong: false,
    },
    {
      term: consent.total,
      value: formatMoney(quote.total_of_payments_in_cents, locale),
      note: consent.totalNote,
      strong: false,
    },
  ];
  return (
    <dl class="disclosure">
      {cells.map(({ term, value, note, strong }) => (
        <div key={term} class="disclosure__cell" data-strong={strong}>
          <dt>{term}</dt>
          <dd>
            <span class="disclosure__value">{value}</span>
            <span class="disclosure__note">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
