import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import type { Tenant, TenantName } from '../api/tenants.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { ResumeButton } from '../controls/resume-button.tsx';
import { markOf } from './describe-tenant.ts';

/** The next thing that happens, why, and what keeps it from happening. */
export function Position({ name, tenant }: { name: TenantName; tenant: Tenant }) {
  const { plan, position, waits_for, pauses } = tenant;
  // If nothing happens next, `position` is one of the reasons.
  const reasons = waits_for.filter((reason) => reason !== position);
  return (
    <section className="position svc-card" aria-labelledby="position-title">
      <h2 id="position-title" className="position__title">
        {visibleText(position)}
      </h2>
      {reasons.length > 0 ? (
        <ul className="position__reasons">
          {reasons.map((reason) => (
            <li key={reason}>
              <Icon name="clock" />
              <span>{visibleText(reason)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {pauses.map((pause) => (
        <div key={`${pause.scope} ${pause.started_at}`} className="position__pause">
          <Icon name="lock" />
          <p>
            Collections of this {pauseScopes[pause.scope]} were paused by{' '}
            {visibleText(pause.started_by)} <Ago at={pause.started_at} inline />:{' '}
            {visibleText(pause.reason)}
          </p>
          <ResumeButton pms={name.partner} scope={pause.scope} subject={pause.subject} />
        </div>
      ))}
      {plan ? <Payments plan={plan} /> : null}
    </section>
  );
}

const pauseScopes = { partner: 'portal', property: 'property', tenant: 'tenant' } as const;

/** The payments of the open plan as segments, in the order in which they are due. */
function Payments({ plan }: { plan: NonNullable<Tenant['plan']> }) {
  return (
    <ol className="payments" aria-label={`Payments of ${plan.id}`}>
      {plan.payments.map(({ number, due_date, amount_in_cents, state, may_move_to }) => {
        const { tone, word } = markOf(state);
        return (
          <li key={number} className={`payments__one tone-${tone}`} data-state={state}>
            <span className="payments__bar" aria-hidden="true" />
            <span className="payments__amount">{formatCents(amount_in_cents)}</span>
            <span className="payments__date">{formatDate(due_date)}</span>
            <StateMark tone={tone}>{word}</StateMark>
            {may_move_to.length === 0 ? null : (
              <CommandButton
                command="plan-move"
                input={{ plan_id: plan.id, payment_number: String(number) }}
                choices={{
                  due_date: may_move_to.map((value) => ({ value, label: formatDate(value) })),
                }}
              >
                Move…
              </CommandButton>
            )}
          </li>
        );
      })}
    </ol>
  );
}
