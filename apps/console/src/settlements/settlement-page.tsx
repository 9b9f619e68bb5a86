import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { DetailBar } from '@svc/ui/console/parts/detail-bar.tsx';
import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { CodeField, Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { exactTime } from '@svc/ui/console/time/format-time.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useCallback, useId, useState } from 'react';
import {
  type Refund,
  refundsQuery,
  type Settlement,
  type SettlementInput,
  settlementQuery,
  updateSettlement,
} from '../api/settlements.ts';
import { OutsideOfFrames } from '../session/outside-of-frames.tsx';
import { useSession } from '../session/use-session.ts';
import { nextOutcomes, settlementMarks } from './describe-settlement.ts';

const route = getRouteApi('/settlements/$settlementId');

/** One settlement: amount, charges, refunds, and the outcome of the debit. */
export function SettlementPage() {
  const { settlementId } = route.useParams();
  const filters = route.useSearch();
  const navigate = useNavigate();
  const settlement = useQuery({
    ...settlementQuery(settlementId),
    refetchInterval: pollIntervals.background,
  });
  const close = useCallback(() => {
    void navigate({ to: '/settlements', search: filters }).then(() => focusRow(settlementId));
  }, [navigate, filters, settlementId]);
  return (
    <article className="detail" aria-label="Settlement">
      <DetailBar
        back={
          <Link to="/settlements" search={filters} className="detail__back svc-link">
            <Icon name="back" /> Settlements
          </Link>
        }
        close="Close the settlement"
        onClose={close}
      />
      {settlement.data ? (
        <Body settlement={settlement.data} />
      ) : (
        <h1 className="svc-visually-hidden">Settlement</h1>
      )}
      <LoadState
        query={settlement}
        loading="Loading the settlement"
        rows={6}
        failed="This settlement could not be loaded"
      />
    </article>
  );
}

function Body({ settlement }: { settlement: Settlement }) {
  const { id, external_id, status, is_stale } = settlement;
  const { tone, word } = settlementMarks[status];
  return (
    <>
      <header className="detail__head">
        <title>{`Settlement of ${visibleText(external_id)} · Console`}</title>
        <h1 className="detail__title">{formatCents(settlement.amount_in_cents)}</h1>
        <p>
          <StateMark tone={is_stale ? 'warn' : tone}>{word}</StateMark>
        </p>
        {is_stale ? (
          <p className="detail__summary">
            It is still open three banking days after its debit was due.
          </p>
        ) : null}
      </header>
      <ReportOutcome settlement={settlement} />
      <dl className="facts">
        <Fact name="ID">
          <code>{id}</code>
          <CopyButton text={id} label="Copy settlement ID" />
        </Fact>
        <Fact name="Tenant">
          <OutsideOfFrames instead={visibleText(external_id)}>
            <Link
              to="/tenants/$externalId"
              params={{ externalId: external_id }}
              className="svc-link"
            >
              {visibleText(external_id)}
            </Link>
          </OutsideOfFrames>
        </Fact>
        <Fact name="Plan">
          <code>{settlement.plan_id}</code>
        </Fact>
        <Fact name="Rent cycle">{formatDate(settlement.rent_cycle_date)}</Fact>
        <Fact name="Debit by">{formatDate(settlement.debit_by)}</Fact>
        {settlement.payout_id === null ? null : (
          <Fact name="Payout">
            <code>{settlement.payout_id}</code>
          </Fact>
        )}
        {settlement.processor_transaction_id === null ? null : (
          <Fact name="Your debit">
            <code>{visibleText(settlement.processor_transaction_id)}</code>
          </Fact>
        )}
        {settlement.failure_reason === null ? null : (
          <Fact name="Failure">{visibleText(settlement.failure_reason)}</Fact>
        )}
        <Fact name="Created">{exactTime(settlement.created_at)}</Fact>
        <Fact name="Changed">{exactTime(settlement.updated_at)}</Fact>
      </dl>
      <section className="svc-card side-card" aria-label="Charges">
        <h2 className="section-title">Charges that it pays</h2>
        <dl className="facts">
          {settlement.charges_and_amounts_paid.map(({ charge_id, amount_in_cents }) => (
            <Fact key={charge_id} name={visibleText(charge_id)}>
              {formatCents(amount_in_cents)}
            </Fact>
          ))}
        </dl>
      </section>
      {settlement.refunded_in_cents > 0 ? <Refunds settlement={settlement} /> : null}
    </>
  );
}

function Refunds({ settlement }: { settlement: Settlement }) {
  const refunds = useQuery(refundsQuery(settlement.id));
  return (
    <section className="svc-card side-card" aria-label="Refunds">
      <h2 className="section-title">Refunds: {formatCents(settlement.refunded_in_cents)}</h2>
      <LoadState
        query={refunds}
        loading="Loading refunds"
        rows={2}
        failed="The refunds could not be loaded"
      />
      <dl className="facts">
        {refunds.data?.map((refund: Refund) => (
          <Fact key={refund.id} name={formatCents(refund.amount_in_cents)}>
            {exactTime(refund.created_at)}
            {refund.reason === null ? '' : `: ${visibleText(refund.reason)}`}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

/** Reports the outcome of the partner's debit, after a confirmation. */
function ReportOutcome({ settlement }: { settlement: Settlement }) {
  const { read_only } = useSession();
  const [asked, setAsked] = useState<SettlementInput['status'] | null>(null);
  const outcomes = nextOutcomes[settlement.status];
  // A payout changes the status of its settlements.
  if (read_only || outcomes.length === 0 || settlement.payout_id !== null) return null;
  return (
    <div className="settlement__actions">
      {outcomes.map(({ status, label }, index) => (
        <button
          key={status}
          type="button"
          className={`svc-button svc-button--small ${index === 0 ? '' : 'svc-button--secondary'}`}
          onClick={() => setAsked(status)}
        >
          {label}
        </button>
      ))}
      {asked === null ? null : (
        <OutcomeDialog settlement={settlement} status={asked} onClose={() => setAsked(null)} />
      )}
    </div>
  );
}

const titles: Record<SettlementInput['status'], string> = {
  verified: 'Did the money arrive?',
  unverified: 'Was the debit sent?',
  failed: 'Did the debit fail?',
  unsettled: 'Report the debit',
};

function OutcomeDialog(props: {
  settlement: Settlement;
  status: SettlementInput['status'];
  onClose: () => void;
}) {
  const { settlement, status, onClose } = props;
  const form = useId();
  const queryClient = useQueryClient();
  const [debit, setDebit] = useState(settlement.processor_transaction_id ?? '');
  const [reason, setReason] = useState('');
  const reporting = useMutation({
    mutationFn: (input: SettlementInput) => updateSettlement(settlement.id, input),
    onSuccess: (changed) => {
      queryClient.setQueryData(settlementQuery(settlement.id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['settlements', 'list'] });
      showToast(`The settlement is ${settlementMarks[changed.status].word.toLowerCase()}`);
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (reporting.isPending) return;
    reporting.mutate({
      status,
      ...(debit === '' ? {} : { processor_transaction_id: debit }),
      ...(status === 'failed' && reason !== '' ? { failure_reason: reason } : {}),
    });
  };
  const message = generalError(reporting.error, ['processor_transaction_id', 'failure_reason']);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={titles[status]}
      error={message === null ? null : new Error(message)}
      act={`Mark as ${settlementMarks[status].word.toLowerCase()}`}
      danger={status === 'failed'}
      pending={reporting.isPending}
      onAct={form}
    >
      <form id={form} className="settlement__form" onSubmit={submit} noValidate>
        <p>
          {formatCents(settlement.amount_in_cents)} for {visibleText(settlement.external_id)}. This
          changes your books and ours, and is in the audit log.
        </p>
        <CodeField
          label="Your debit’s id"
          optional
          hint="The id of the transaction at your processor."
          error={fieldError(reporting.error, 'processor_transaction_id')}
          value={debit}
          onChange={setDebit}
        />
        {status === 'failed' ? (
          <Field label="Reason" optional error={fieldError(reporting.error, 'failure_reason')}>
            {(wiring) => (
              <input
                {...wiring}
                className="svc-field__input"
                maxLength={500}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
        ) : null}
      </form>
    </ConfirmDialog>
  );
}

function focusRow(id: string): void {
  document
    .querySelector<HTMLElement>(`[data-row][href*="/settlements/${CSS.escape(id)}"]`)
    ?.focus();
}
