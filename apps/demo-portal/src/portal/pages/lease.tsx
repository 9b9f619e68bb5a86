import type { Account } from '../../../backend/answers.ts';
import { useWords } from '../../words/use-words.ts';
import { Card, Facts } from '../parts/card.tsx';
import { Heading } from '../parts/heading.tsx';

export function Lease({ account }: { account: Account }) {
  const { translate, longDay } = useWords();
  const { property, lease } = account;
  const due = [translate('Due'), translate('On the 1st; a late fee after the 5th')] as const;
  return (
    <>
      <Heading title={translate(account.variant === 'hoa' ? 'Property' : 'Lease')}>
        {property.name} · <span className="together">{account.unit}</span>
      </Heading>
      <div className="months">
        {account.variant === 'hoa' ? (
          <Card id="terms" title={translate('Membership')}>
            <Facts
              lines={[
                [translate('Member number'), lease.id],
                [translate('Owner since'), longDay(lease.starts_on)],
                [translate('Dues'), translate('Monthly')],
                due,
              ]}
            />
          </Card>
        ) : (
          <Card id="terms" title={translate('Terms')}>
            <Facts
              lines={[
                [translate('Lease number'), lease.id],
                [translate('Starts'), longDay(lease.starts_on)],
                [
                  translate('Ends'),
                  lease.ends_on ? longDay(lease.ends_on) : translate('Month to month'),
                ],
                due,
              ]}
            />
          </Card>
        )}
        <Card id="address" title={translate('Address')}>
          <address className="card__text">
            {account.name}
            <br />
            {property.line1}, {account.unit}
            <br />
            {property.city}, {property.state} {property.postal_code}
          </address>
        </Card>
        <Card id="contact" title={translate('How we reach you')}>
          <Facts
            lines={[
              [translate('Email'), account.email],
              [translate('Phone'), account.phone],
            ]}
          />
        </Card>
      </div>
    </>
  );
}
