import { openPlanPage, useFlow } from '../../flow/flow.ts';
import { isOpen } from '../../format/payments.ts';
import { ActionRow } from '../../parts/action-row.tsx';
import { capital } from '../../words/capital.ts';
import { bankReason, methodName } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import { RecordsRow } from './electronic-records.tsx';
import { isPayable, type PlanPageProps } from './plan-page.ts';
import { TextsRow } from './text-reminders.tsx';

/** The actions that the tenant can take on the plan. Each opens its own page. */
export function Actions({ state, plan, management }: PlanPageProps) {
  const flow = useFlow();
  const { words } = useWords();
  const copy = words.manage;
  if (!plan.installments.some(isOpen) || ['canceled', 'charged_off'].includes(plan.state)) {
    return null;
  }
  const { installments, payment_method, method_refusal, autopay, may_cancel } = management;
  const isRefused = method_refusal?.is_final === true;
  const why = isRefused ? [bankReason(method_refusal.return_code, words)] : [];
  const openPage = (kind: 'pay' | 'move' | 'account' | 'autopay' | 'cancel') => () =>
    openPlanPage(flow, kind);
  return (
    <section class="group">
      <h2 class="subtitle">{copy.do}</h2>
      <ul class="svc-card svc-card--flush list">
        {plan.installments.some(
          (it) => it.state === 'scheduled' && isPayable(management, it.id),
        ) && <ActionRow title={copy.payEarly} note={copy.payEarlyNote} onPress={openPage('pay')} />}
        {installments.some((part) => part.reschedule_days.length > 0) && (
          <ActionRow title={copy.move} note={copy.moveNote} onPress={openPage('move')} />
        )}
        <ActionRow
          title={copy.account}
          note={[capital(methodName(payment_method, words)), ...why].join(' · ')}
          onPress={openPage('account')}
        />
        <ActionRow title={copy.autopay} note={autopayNote()} onPress={openPage('autopay')} />
        <TextsRow state={state} />
        <RecordsRow />
        {may_cancel && (
          <ActionRow title={copy.cancel} note={copy.cancelNote} onPress={openPage('cancel')} />
        )}
      </ul>
    </section>
  );

  function autopayNote(): string {
    if (!autopay) return copy.autopayOff;
    return isRefused ? copy.autopayRefused : copy.autopayOn;
  }
}
