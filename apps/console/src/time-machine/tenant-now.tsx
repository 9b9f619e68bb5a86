import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { exactTime } from '@svc/ui/console/time/format-time.ts';
import { Link } from '@tanstack/react-router';
import { advanceClock } from '../api/tenants.ts';
import { failNextPayment, type TenantHistory } from '../api/time-machine.ts';
import { PlanCard } from '../tenants/tenant-page.tsx';
import { useTenantChange } from '../tenants/use-tenant-change.ts';

/** A tenant's clock and plan, and for a copy the actions that change them. */
export function TenantNow({ history, actions }: { history: TenantHistory; actions: boolean }) {
  const { external_id, simulation, plan } = history;
  const { simulated_time, pending_payment_failures: failures } = simulation;
  const name = visibleText(external_id);
  return (
    <div className="now">
      <section className="svc-card side-card" aria-label={`Clock of ${name}`}>
        <h3 className="section-title">
          <Link
            to="/tenants/$externalId"
            params={{ externalId: external_id }}
            className="svc-link now__name"
          >
            {name}
          </Link>
        </h3>
        <dl className="facts">
          <Fact name="Clock">
            {simulated_time === null ? 'Real time' : exactTime(simulated_time)}
          </Fact>
          {failures.length === 0 ? null : (
            <Fact name="Next payment">fails with {failures.join(', ')}</Fact>
          )}
        </dl>
        {actions ? <Actions externalId={external_id} /> : null}
      </section>
      {plan === null ? (
        <section className="svc-card side-card" aria-label={`Plan of ${name}`}>
          <h3 className="section-title">Plan</h3>
          <p className="side-card__quiet">None yet.</p>
        </section>
      ) : (
        <PlanCard plan={plan} label={`Plan of ${name}`} />
      )}
    </div>
  );
}

const timeSteps = [
  { by: 'P1D', words: '1 day' },
  { by: 'P7D', words: '7 days' },
  { by: 'P1M', words: '1 month' },
];

function Actions({ externalId }: { externalId: string }) {
  const advancing = useTenantChange(
    (by: string) => advanceClock(externalId, { by }),
    ({ simulated_time }) =>
      showToast(simulated_time === null ? 'Advanced' : `It is now ${exactTime(simulated_time)}`),
  );
  const failing = useTenantChange(
    () => failNextPayment(externalId, { return_code: 'R01' }),
    () => showToast('The next payment will fail with R01'),
  );
  const isBusy = advancing.isPending || failing.isPending;
  const error = advancing.error ?? failing.error;
  const button = 'svc-button svc-button--secondary svc-button--small';
  return (
    <>
      <div className="simulation__row">
        {timeSteps.map(({ by, words }) => (
          <button
            key={by}
            type="button"
            className={button}
            aria-busy={advancing.isPending && advancing.variables === by}
            onClick={() => isBusy || advancing.mutate(by)}
          >
            Advance {words}
          </button>
        ))}
        <button
          type="button"
          className={button}
          aria-busy={failing.isPending}
          onClick={() => isBusy || failing.mutate(undefined)}
        >
          Fail the next payment
        </button>
      </div>
      {error ? (
        <p className="svc-field__error" role="alert">
          {fieldError(error, 'by') ?? generalError(error, [])}
        </p>
      ) : null}
    </>
  );
}
