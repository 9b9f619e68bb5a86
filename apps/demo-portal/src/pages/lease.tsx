import type { Account } from '../../backend/answers.ts';
import { longDay } from '../format.ts';
import { Heading } from '../parts/heading.tsx';

export function Lease({ account }: { account: Account }) {
  const hoa = account.variant === 'hoa';
  const { property, lease } = account;
  return (
    <>
      <Heading title={hoa ? 'Property' : 'Lease'}>
        {property.name} · <span className="together">{account.unit}</span>
      </Heading>
      <div className="months">
        <section className="svc-card svc-card--flush" aria-labelledby="terms">
          <h2 className="card__title" id="terms">
            {hoa ? 'Membership' : 'Terms'}
          </h2>
          <dl className="facts">
            <dt>{hoa ? 'Member number' : 'Lease number'}</dt>
            <dd>{lease.id}</dd>
            <dt>{hoa ? 'Owner since' : 'Starts'}</dt>
            <dd>{longDay(lease.starts_on)}</dd>
            <dt>{hoa ? 'Billing' : 'Ends'}</dt>
            <dd>{hoa ? 'Monthly' : lease.ends_on ? longDay(lease.ends_on) : 'Month to month'}</dd>
            <dt>Due</dt>
            <dd>On the 1st; a late fee after the 5th</dd>
          </dl>
        </section>
        <section className="svc-card svc-card--flush" aria-labelledby="address">
          <h2 className="card__title" id="address">
            Address
          </h2>
          <address className="card__text">
            {account.name}
            <br />
            {property.line1}, {account.unit}
            <br />
            {property.city}, {property.state} {property.postal_code}
          </address>
        </section>
        <section className="svc-card svc-card--flush" aria-labelledby="contact">
          <h2 className="card__title" id="contact">
            How we reach you
          </h2>
          <dl className="facts">
            <dt>E-mail</dt>
            <dd>{account.email}</dd>
            <dt>Phone</dt>
            <dd>{account.phone}</dd>
          </dl>
        </section>
      </div>
    </>
  );
}
