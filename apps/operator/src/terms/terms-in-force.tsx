import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type TermsVersion, termsQuery } from '../api/terms.ts';
import './terms.css';

/** The versions that apply to a portal's tenants now or soon, the most specific first. */
export function TermsInForce({ pms }: { pms: string }) {
  const { data } = useQuery(termsQuery);
  if (!data) return null;
  const items = data
    .filter((it) => (it.pms === null || it.pms === pms) && it.status !== 'replaced')
    .toSorted((one, other) => rankOf(other) - rankOf(one));
  return (
    <section className="svc-card side-card" aria-label="Terms">
      <h2 className="section-title">Terms</h2>
      <ul className="terms-in-force">
        {items.map((it) => (
          <li key={it.version}>
            <Link to="/terms/$version" params={{ version: it.version }} className="svc-link">
              {placeOf(it)}
            </Link>
            <span className="side-card__quiet">{whenOf(it)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function rankOf({ pms, state }: TermsVersion): number {
  return (pms === null ? 0 : 2) + (state === null ? 0 : 1);
}

function placeOf({ pms, state }: TermsVersion): string {
  const own = pms === null ? 'Those of all partners' : 'Its own';
  return state === null ? own : `${own}, in ${visibleText(state)}`;
}

function whenOf({ status, effective_from }: TermsVersion): string {
  if (effective_from === null) return 'Part of the release';
  return `${status === 'upcoming' ? 'From' : 'Since'} ${formatDate(effective_from)}`;
}
