import { type PlanWithAmounts, paymentProgress, paymentsOfPlan } from '../../format/payments.ts';
import { useWords } from '../../words/use-words.ts';
import { Schedule } from './schedule.tsx';

interface PlanScheduleProps extends PlanWithAmounts {
  today: string;
}

/** The schedule of a plan with its heading. */
export function PlanSchedule({ today, ...planned }: PlanScheduleProps) {
  const { words } = useWords();
  const payments = paymentsOfPlan(planned);
  return (
    <section class="group">
      <h2 class="subtitle">{words.manage.schedule}</h2>
      <div class="svc-card">
        <Schedule
          payments={payments}
          today={today}
          nextId={paymentProgress(payments).next?.id ?? null}
          label={words.manage.schedule}
        />
      </div>
    </section>
  );
}
