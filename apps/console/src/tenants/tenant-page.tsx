import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { DetailBar } from '@svc/ui/console/parts/detail-bar.tsx';
import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { exactTime, minuteTime } from '@svc/ui/console/time/format-time.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type Plan, type Tenant, tenantQuery } from '../api/tenants.ts';
import { OutsideOfFrames } from '../session/outside-of-frames.tsx';
import { useSession } from '../session/use-session.ts';
import { eligibilityMarks, installmentMarks, inWords, planMarks } from './describe-tenant.ts';
import { SimulationPanel } from './simulation-panel.tsx';
import './tenants.css';

const route = getRouteApi('/tenants/$externalId');

/** One tenant: state, plan and, in the sandbox, the clock and scenarios. */
export function TenantPage() {
  const { externalId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const close = useCallback(() => {
    void navigate({ to: '/tenants', search }).then(() => focusRow(externalId));
  }, [navigate, search, externalId]);
  return (
    <article className="detail" aria-label="Tenant">
      <DetailBar
        back={
          <Link to="/tenants" search={search} className="detail__back svc-link">
            <Icon name="back" /> Tenants
          </Link>
        }
        close="Close the tenant"
        onClose={close}
      />
      <TenantDetails externalId={externalId} />
    </article>
  );
}

/** Shows everything about one tenant, in the console and in a frame. */
export function TenantDetails({ externalId }: { externalId: string }) {
  const { environment, view } = useSession();
  const tenant = useQuery({
    ...tenantQuery(externalId),
    refetchInterval: pollIntervals.background,
  });
  return (
    <>
      <header className="detail__head">
        <title>{`${visibleText(externalId)} · Console`}</title>
        <h1 className="detail__title">{visibleText(externalId)}</h1>
      </header>
      <LoadState
        query={tenant}
        loading="Loading the tenant"
        rows={5}
        failed="The tenant could not be loaded"
      />
      {tenant.data ? <Facts tenant={tenant.data} /> : null}
      {tenant.data?.plan ? <PlanCard plan={tenant.data.plan} /> : null}
      {tenant.data && environment === 'sandbox' && view === null ? (
        <SimulationPanel tenant={tenant.data} />
      ) : null}
    </>
  );
}

function Facts({ tenant }: { tenant: Tenant }) {
  const { environment } = useSession();
  const { external_id, eligibility, rent_cycle: cycle, simulated_time } = tenant;
  const { tone, word } = eligibilityMarks[eligibility.state];
  return (
    <>
      <dl className="facts">
        <Fact name="State">
          <StateMark tone={tone}>
            {saysMore(eligibility) ? `${word}: ${inWords(eligibility.reason)}` : word}
          </StateMark>
        </Fact>
        {cycle === null ? null : (
          <>
            <Fact name="Due">
              {formatCents(cycle.amount_due_in_cents)} on {formatDate(cycle.due_date)}
            </Fact>
            <Fact name="Split window">
              {cycle.is_open ? 'Open until' : 'Closed; opens'}{' '}
              {minuteTime(cycle.is_open ? cycle.closes_at : cycle.opens_at)}
            </Fact>
          </>
        )}
        {tenant.charged_off_plan_id === null ? null : (
          <Fact name="Charged off">
            <code>{tenant.charged_off_plan_id}</code>
          </Fact>
        )}
        <Fact name="Clock">
          {simulated_time === null ? 'Real time' : exactTime(simulated_time)}
        </Fact>
      </dl>
      <OutsideOfFrames>
        <p className="tenant__links">
          <Link to="/messages" search={{ external_id }} className="svc-link">
            Messages
          </Link>
          <Link to="/deliveries" search={{ external_id }} className="svc-link">
            Deliveries
          </Link>
          <Link to="/settlements" search={{ external_id }} className="svc-link">
            Settlements
          </Link>
          {environment === 'sandbox' ? (
            <Link to="/time-machine" search={{ tenant: external_id }} className="svc-link">
              Time machine
            </Link>
          ) : null}
        </p>
      </OutsideOfFrames>
    </>
  );
}

/** Returns whether the reason adds information to the state. */
function saysMore(
  eligibility: Tenant['eligibility'],
): eligibility is Tenant['eligibility'] & { reason: string } {
  const { state, reason } = eligibility;
  return reason !== null && reason !== state && reason !== 'open_plan';
}

/** A plan with its payments. `label` distinguishes it from another plan on the page. */
export function PlanCard({ plan, label = 'Plan' }: { plan: Plan; label?: string }) {
  const { tone, word } = planMarks[plan.state];
  return (
    <section className="svc-card side-card" aria-label={label}>
      <h2 className="section-title">Plan</h2>
      <dl className="facts">
        <Fact name="State">
          <StateMark tone={tone}>{word}</StateMark>
        </Fact>
        <Fact name="Financed">
          {formatCents(plan.amount_financed_in_cents)} and a fee of {formatCents(plan.fee_in_cents)}
        </Fact>
        {plan.settlement_id === null ? null : (
          <Fact name="Settlement">
            <OutsideOfFrames instead={<code>{plan.settlement_id}</code>}>
              <Link
                to="/settlements/$settlementId"
                params={{ settlementId: plan.settlement_id }}
                className="svc-link"
              >
                <code>{plan.settlement_id}</code>
              </Link>
            </OutsideOfFrames>
          </Fact>
        )}
        <Fact name="ID">
          <code>{plan.id}</code>
        </Fact>
      </dl>
      <table className="tenant__payments">
        <caption className="svc-visually-hidden">Payments</caption>
        <thead>
          <tr>
            <th scope="col">Payment</th>
            <th scope="col">Due</th>
            <th scope="col">Amount</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {plan.installments.map((installment) => {
            const mark = installmentMarks[installment.state];
            return (
              <tr key={installment.id}>
                <td>{installment.number}</td>
                <td>{formatDate(installment.due_date)}</td>
                <td>{formatCents(installment.amount_in_cents)}</td>
                <td>
                  <StateMark tone={mark.tone}>{mark.word}</StateMark>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function focusRow(externalId: string): void {
  const rows = document.querySelectorAll<HTMLElement>('.tenant-row');
  const id = visibleText(externalId);
  [...rows].find((row) => row.querySelector('.tenant-row__id')?.textContent === id)?.focus();
}
