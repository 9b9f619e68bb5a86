import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import type { ReactNode } from 'react';
import type { Tenant, TenantName } from '../api/tenants.ts';
import { markOf, sayWord } from './describe-tenant.ts';
import { Unmask } from './unmask.tsx';

/** Facts about the tenant, next to the timeline. */
export function TenantFacts({ name, tenant }: { name: TenantName; tenant: Tenant }) {
  const { balance, plans, methods, applications, consents, mail } = tenant;
  return (
    <aside className="tenant__facts" aria-label="Facts">
      <Person name={name} tenant={tenant} />
      <Card title={tenant.product_variant === 'hoa' ? 'Dues' : 'Rent'}>
        <Fact name="Owed">
          {formatCents(balance.amount_in_cents)}
          {balance.due_date === null ? null : `, due ${formatDate(balance.due_date)}`}
        </Fact>
        <Fact name="Time zone">{tenant.time_zone}</Fact>
        <Fact name="Since">
          <Ago at={tenant.created_at} inline />
        </Fact>
      </Card>
      {plans.length === 0 ? null : (
        <Card title={plans.length === 1 ? 'Plan' : 'Plans'}>
          {plans.slice(0, 6).map((plan) => (
            <div key={plan.id} className="tenant__plan">
              <dt>{formatDate(plan.rent_cycle_date)}</dt>
              <dd>
                {formatCents(plan.principal_in_cents)}
                <Mark state={plan.state} />
                {plan.settlement ? (
                  <span className="side-card__quiet">
                    Settlement {sayWord(plan.settlement.status).toLowerCase()}
                  </span>
                ) : null}
                <code>{plan.id}</code>
              </dd>
            </div>
          ))}
        </Card>
      )}
      {methods.length === 0 ? null : (
        <Card title="Accounts and cards">
          {methods.map((method) => (
            <Fact key={method.id} name={sayWord(method.brand ?? method.type)}>
              ••{method.last4}
              {method.expires === null ? '' : `, until ${method.expires}`}
            </Fact>
          ))}
        </Card>
      )}
      {applications.length === 0 ? null : (
        <Card title="Applications">
          {applications.slice(0, 4).map((application) => (
            <div key={application.id} className="tenant__plan">
              <dt>{formatCents(application.amount_in_cents)}</dt>
              <dd>
                <Mark state={application.state} />
                {application.reasons.length > 0 ? (
                  <span>{application.reasons.map(sayWord).join(', ')}</span>
                ) : null}
                {application.flags.length > 0 ? (
                  <span>Flags: {application.flags.map(sayWord).join(', ')}</span>
                ) : null}
                {application.reapply_after === null ? null : (
                  <span>Can apply again after {formatDate(application.reapply_after)}</span>
                )}
                <Ago at={application.submitted_at} inline />
              </dd>
            </div>
          ))}
        </Card>
      )}
      <Card title="Contact">
        <Fact name="Notices">
          {consents.electronic_records === null
            ? 'Not asked yet'
            : consents.electronic_records === 'paper'
              ? 'On paper'
              : 'By e-mail'}
        </Fact>
        <Fact name="Texts">{consents.texts === 'on' ? 'On' : 'Off'}</Fact>
        <Fact name="Mails">
          {mail.bounces_since !== null ? (
            <StateMark tone="bad">Bouncing</StateMark>
          ) : mail.given_up > 0 ? (
            <StateMark tone="bad">{`${mail.given_up} not sent`}</StateMark>
          ) : mail.waiting > 0 ? (
            <StateMark tone="info">{`${mail.waiting} waiting`}</StateMark>
          ) : mail.last_sent_at === null ? (
            'None yet'
          ) : (
            <StateMark tone="good">Arriving</StateMark>
          )}
        </Fact>
        {mail.bounces_since === null ? null : (
          <Fact name="Bouncing">
            <Ago at={mail.bounces_since} inline />
          </Fact>
        )}
        {mail.last_sent_at === null ? null : (
          <Fact name="Last mail">
            <Ago at={mail.last_sent_at} inline />
          </Fact>
        )}
      </Card>
    </aside>
  );
}

function Person({
  name,
  tenant: { person, home, erased_at },
}: {
  name: TenantName;
  tenant: Tenant;
}) {
  return (
    <Card title="Person" action={person?.is_masked ? <Unmask name={name} /> : null}>
      {erased_at === null ? null : (
        <Fact name="Erased">
          <Ago at={erased_at} inline />
        </Fact>
      )}
      {person === null ? (
        erased_at === null ? (
          <Fact name="Name">Not reported yet</Fact>
        ) : null
      ) : (
        <>
          <Fact name="Name">{visibleText(`${person.first_name} ${person.last_name}`)}</Fact>
          <Fact name="E-mail">{visibleText(person.email)}</Fact>
          <Fact name="Phone">
            {person.phone_number === null ? 'None' : visibleText(person.phone_number)}
          </Fact>
        </>
      )}
      {home === null ? null : (
        <>
          {home.property_name === null ? null : (
            <Fact name="Property">{visibleText(home.property_name)}</Fact>
          )}
          {home.address === null && home.city === null ? null : (
            <Fact name="Address">
              {visibleText(
                home.address ?? [home.city, home.state].filter((it) => it !== null).join(', '),
              )}
            </Fact>
          )}
          {home.lease_id === null ? null : (
            <Fact name="Lease">
              <code>{visibleText(home.lease_id)}</code>
            </Fact>
          )}
        </>
      )}
    </Card>
  );
}

function Card(props: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className="svc-card side-card" aria-label={props.title}>
      <div className="tenant__card-head">
        <h2 className="section-title">{props.title}</h2>
        {props.action}
      </div>
      <dl className="facts">{props.children}</dl>
    </section>
  );
}

function Mark({ state }: { state: string }) {
  const { tone, word } = markOf(state);
  return <StateMark tone={tone}>{word}</StateMark>;
}
