import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { exactTime } from '@svc/ui/console/time/format-time.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import {
  advanceClock,
  resetTenant,
  runScenario,
  type ScenarioInput,
  type ScenarioOutput,
  type Simulation,
  setUnderwritingResult,
  simulationQuery,
  type Tenant,
  type UnderwritingInput,
} from '../api/tenants.ts';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { useTenantChange } from './use-tenant-change.ts';

/** The sandbox controls for one tenant: clock, underwriting result, scenarios, reset. */
export function SimulationPanel({ tenant }: { tenant: Tenant }) {
  const externalId = tenant.external_id;
  const { read_only } = useSession();
  const simulation = useQuery(simulationQuery(externalId));
  if (read_only) return <ReadOnlyNotice what="change this tenant’s clock or state" />;
  return (
    <section className="simulation" aria-label="Simulation">
      <header className="simulation__head">
        <h2 className="section-title">Simulation</h2>
        <span className="svc-badge svc-tone-sandbox">Sandbox</span>
      </header>
      <ScenarioForm tenant={tenant} />
      <ClockForm externalId={externalId} simulation={simulation.data} />
      <ResultForm externalId={externalId} simulation={simulation.data} />
      <ResetTenant externalId={externalId} />
    </section>
  );
}

function Card(props: { title: string; children: ReactNode }) {
  return (
    <section className="svc-card side-card" aria-label={props.title}>
      <h3 className="section-title">{props.title}</h3>
      {props.children}
    </section>
  );
}

interface Options {
  readonly installments: string;
  readonly method: '' | NonNullable<ScenarioInput['payment_method']>;
  /** A failure code as typed. The service rejects unknown codes. */
  readonly failure: string;
  readonly variant: '' | NonNullable<ScenarioInput['product_variant']>;
}

const noOptions: Options = { installments: '', method: '', failure: '', variant: '' };

/** Moves the tenant to a point in a plan's life and shows what was created. */
function ScenarioForm({ tenant }: { tenant: Tenant }) {
  const [name, setName] = useState<Scenario['name']>('split');
  const [options, setOptions] = useState(noOptions);
  const running = useTenantChange(
    (input: ScenarioInput) => runScenario(tenant.external_id, input),
    () => undefined,
  );
  const scenario = scenarios.find((each) => each.name === name) ?? scenarios[0];
  // Once the portal has reported a tenant, a scenario can't change what the tenant pays.
  const isUnreported = tenant.product_variant === null;
  const change = (part: Partial<Options>) => setOptions({ ...options, ...part });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (running.isPending) return;
    const { installments, method, failure, variant } = options;
    running.mutate({
      scenario: name,
      ...(scenario.hasPlan && installments !== ''
        ? { installment_count: Number(installments) }
        : {}),
      ...(scenario.hasPlan && method !== '' ? { payment_method: method } : {}),
      ...(scenario.fails && failure !== ''
        ? { failure_code: failure as NonNullable<ScenarioInput['failure_code']> }
        : {}),
      ...(isUnreported && variant !== '' ? { product_variant: variant } : {}),
    });
  };
  return (
    <Card title="Scenario">
      <form className="simulation__form" onSubmit={submit} noValidate>
        <Field label="Take the tenant to" hint={`The tenant ${scenario.about}.`}>
          {(wiring) => (
            <select
              {...wiring}
              className="svc-field__input svc-field__input--small"
              value={name}
              onChange={(event) => setName(event.target.value as Scenario['name'])}
            >
              {scenarios.map((each) => (
                <option key={each.name} value={each.name}>
                  {each.label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {isUnreported ? (
          <Field label="The tenant pays" error={fieldError(running.error, 'product_variant')}>
            {(wiring) => (
              <select
                {...wiring}
                className="svc-field__input svc-field__input--small"
                value={options.variant}
                onChange={(event) => change({ variant: event.target.value as Options['variant'] })}
              >
                <option value="">Rent</option>
                <option value="hoa">Association dues</option>
              </select>
            )}
          </Field>
        ) : null}
        {scenario.hasPlan ? (
          <PlanOptions
            options={options}
            fails={scenario.fails}
            error={running.error}
            onChange={change}
          />
        ) : null}
        <Failure
          error={running.error}
          fields={['installment_count', 'payment_method', 'failure_code', 'product_variant']}
        />
        <SubmitButton pending={running.isPending}>Run scenario</SubmitButton>
      </form>
      <div role="status">{running.data ? <Created result={running.data} /> : null}</div>
    </Card>
  );
}

interface PlanOptionsProps {
  options: Options;
  /** True if a payment fails in the scenario. */
  fails: boolean;
  error: Error | null;
  onChange: (part: Partial<Options>) => void;
}

/** The fields for how the scenario's plan is paid. */
function PlanOptions({ options, fails, error, onChange }: PlanOptionsProps) {
  return (
    <div className="simulation__options">
      <Field label="Payments" error={fieldError(error, 'installment_count')}>
        {(wiring) => (
          <select
            {...wiring}
            className="svc-field__input svc-field__input--small"
            value={options.installments}
            onChange={(event) => onChange({ installments: event.target.value })}
          >
            <option value="">As many as offered</option>
            {[2, 3, 4].map((count) => (
              <option key={count}>{count}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Payment method" error={fieldError(error, 'payment_method')}>
        {(wiring) => (
          <select
            {...wiring}
            className="svc-field__input svc-field__input--small"
            value={options.method}
            onChange={(event) => onChange({ method: event.target.value as Options['method'] })}
          >
            <option value="">The tenant’s, or a bank account</option>
            <option value="bank_account">Bank account</option>
            <option value="card">Debit card</option>
          </select>
        )}
      </Field>
      {fails ? (
        <Field
          label="Failure code"
          optional
          hint="For example R01 or insufficient_funds."
          error={fieldError(error, 'failure_code')}
        >
          {(wiring) => (
            <input
              {...wiring}
              className="svc-field__input svc-field__input--small"
              autoComplete="off"
              spellCheck={false}
              maxLength={40}
              value={options.failure}
              onChange={(event) => onChange({ failure: event.target.value.trim() })}
            />
          )}
        </Field>
      ) : null}
    </div>
  );
}

/** The objects and webhooks that a scenario created. */
function Created({ result }: { result: ScenarioOutput }) {
  const { plan, settlement, events } = result;
  return (
    <ul className="simulation__created">
      {plan ? (
        <li>
          Plan <code>{plan.id}</code>
        </li>
      ) : null}
      {settlement ? (
        <li>
          Settlement{' '}
          <Link
            to="/settlements/$settlementId"
            params={{ settlementId: settlement.id }}
            className="svc-link"
          >
            <code>{settlement.id}</code>
          </Link>
        </li>
      ) : null}
      {events.length === 0 ? <li>The tenant was there already. Nothing was sent.</li> : null}
      {events.map(({ id, type }) => (
        <li key={id}>
          <Link to="/messages/$messageId" params={{ messageId: id }} className="svc-link">
            {type}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const timeSteps = [
  { by: 'P1D', words: '1 day' },
  { by: 'P7D', words: '7 days' },
  { by: 'P1M', words: '1 month' },
];

function ClockForm(props: { externalId: string; simulation: Simulation | undefined }) {
  const [to, setTo] = useState('');
  const advancing = useTenantChange(
    (input: { by: string } | { to: string }) => advanceClock(props.externalId, input),
    ({ simulated_time }) =>
      showToast(simulated_time === null ? 'Advanced' : `It is now ${exactTime(simulated_time)}`),
  );
  const time = props.simulation?.simulated_time ?? null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (to !== '' && !advancing.isPending) advancing.mutate({ to: new Date(to).toISOString() });
  };
  return (
    <Card title="Clock">
      <p>
        {time === null ? 'This tenant lives in real time.' : `It is ${exactTime(time)}.`} Advancing
        runs everything that falls due and sends its webhooks.
      </p>
      <div className="simulation__row">
        {timeSteps.map(({ by, words }) => (
          <button
            key={by}
            type="button"
            className="svc-button svc-button--secondary svc-button--small"
            aria-busy={advancing.isPending}
            onClick={() => advancing.isPending || advancing.mutate({ by })}
          >
            Advance {words}
          </button>
        ))}
      </div>
      <form className="simulation__row" onSubmit={submit} noValidate>
        <Field label="Or to" error={fieldError(advancing.error, 'to')}>
          {(wiring) => (
            <input
              {...wiring}
              type="datetime-local"
              className="svc-field__input svc-field__input--small"
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
        <SubmitButton pending={advancing.isPending} disabled={to === ''}>
          Advance
        </SubmitButton>
      </form>
      <Failure error={advancing.error} fields={['to']} />
    </Card>
  );
}

const underwritingResults = ['WILL_BE_APPROVED', 'WILL_BE_DECLINED'] as const;

function ResultForm(props: { externalId: string; simulation: Simulation | undefined }) {
  const [chosen, setChosen] = useState<UnderwritingInput['underwriting_result'] | null>(null);
  const [date, setDate] = useState('');
  const result = chosen ?? props.simulation?.underwriting_result ?? 'WILL_BE_APPROVED';
  const setting = useTenantChange(
    (input: UnderwritingInput) => setUnderwritingResult(props.externalId, input),
    ({ warnings }) => showToast(warnings[0]?.message ?? 'Saved'),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (setting.isPending) return;
    setting.mutate({
      underwriting_result: result,
      ...(date === '' ? {} : { rent_cycle_date: date }),
    });
  };
  return (
    <Card title="Underwriting">
      <form className="simulation__form" onSubmit={submit} noValidate>
        <div className="simulation__options">
          <Field
            label="An application will be"
            error={fieldError(setting.error, 'underwriting_result')}
          >
            {(wiring) => (
              <select
                {...wiring}
                className="svc-field__input svc-field__input--small"
                value={result}
                onChange={({ target }) =>
                  setChosen(underwritingResults.find((value) => value === target.value) ?? null)
                }
              >
                <option value="WILL_BE_APPROVED">Approved</option>
                <option value="WILL_BE_DECLINED">Declined</option>
              </select>
            )}
          </Field>
          <Field
            label="Rent cycle"
            optional
            hint="Sets the clock to noon of this day."
            error={fieldError(setting.error, 'rent_cycle_date')}
          >
            {(wiring) => (
              <input
                {...wiring}
                type="date"
                className="svc-field__input svc-field__input--small"
                value={date}
                onChange={(event) => setDate(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Failure error={setting.error} fields={['underwriting_result', 'rent_cycle_date']} />
        <SubmitButton pending={setting.isPending}>Set result</SubmitButton>
      </form>
    </Card>
  );
}

function ResetTenant({ externalId }: { externalId: string }) {
  const [asking, setAsking] = useState(false);
  const resetting = useTenantChange(
    () => resetTenant(externalId),
    () => {
      setAsking(false);
      showToast('The tenant is back in real time');
    },
  );
  return (
    <Card title="Reset">
      <p>Returns the tenant to real time and cancels everything open.</p>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small side-card__action"
        onClick={() => {
          resetting.reset();
          setAsking(true);
        }}
      >
        Reset the tenant
      </button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Reset this tenant?"
        error={resetting.error}
        act="Reset"
        danger
        pending={resetting.isPending}
        onAct={() => resetting.mutate(undefined)}
      >
        <p>
          An open application and an open plan are canceled, and their webhooks are sent. Events and
          finished plans stay.
        </p>
      </ConfirmDialog>
    </Card>
  );
}

/** The service's error, unless one of the fields shows it. */
function Failure({ error, fields }: { error: Error | null; fields: readonly string[] }) {
  return (
    <p className="svc-field__error" role="alert">
      {generalError(error, fields)}
    </p>
  );
}

function SubmitButton(props: { pending: boolean; disabled?: boolean; children: ReactNode }) {
  return (
    <button
      type="submit"
      className="svc-button svc-button--secondary svc-button--small side-card__action"
      aria-busy={props.pending}
      disabled={props.disabled ?? false}
    >
      {props.children}
    </button>
  );
}
