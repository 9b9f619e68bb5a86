import type { Account } from '../../../backend/answers.ts';
import { useWords } from '../../words/use-words.ts';
import { Heading } from '../parts/heading.tsx';

export function Lease({ account }: { account: Account }) {
  const { translate, longDay } = useWords();
  const hoa = account.variant === 'hoa';
  const { property, lease } = account;
  return (
    <>
      <Heading title={translate(hoa ? 'Property' : 'Lease')}>
        {property.name} · <span className="together">{account.unit}</span>
      </Heading>
      <div className="months">
        <section className="svc-card svc-card--flush" aria-labelledby="terms">
          <h2 className="card__title" id="terms">
            {translate(hoa ? 'Membership' : 'Terms')}
          </h2>
          <dl className="facts">
            <dt>{translate(hoa ? 'Member number' : 'Lease number')}</dt>
            <dd>{lease.id}</dd>
            <dt>{translate(hoa ? 'Owner since' : 'Starts')}</dt>
            <dd>{longDay(lease.starts_on)}</dd>
            <dt>{translate(hoa ? 'Dues' : 'Ends')}</dt>
            <dd>
              {hoa
                ? translate('Monthly')
                : lease.ends_on
                  ? longDay(lease.ends_on)
                  : translate('Month to month')}
            </dd>
            <dt>{translate('Due')}</dt>
            <dd>{translate('On the 1st; a late fee after the 5th')}</dd>
          </dl>
        </section>
        <section className="svc-card svc-card--flush" aria-labelledby="address">
          <h2 className="card__title" id="address">
            {translate('Address')}
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
            {translate('How we reach you')}
          </h2>
          <dl className="facts">
            <dt>{translate('Email')}</dt>
            <dd>{account.email}</dd>
            <dt>{translate('Phone')}</dt>
            <dd>{account.phone}</dd>
          </dl>
        </section>
      </div>
    </>
  );
}
