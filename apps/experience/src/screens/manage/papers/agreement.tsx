import { fullDate } from '../../../format/dates.ts';
import { AgreementText } from '../../../parts/papers/agreement-text.tsx';
import { PaperButtons } from '../../../parts/papers/paper-buttons.tsx';
import { PlanCost } from '../../../parts/payments/plan-cost.tsx';
import { PlanSchedule } from '../../../parts/payments/plan-schedule.tsx';
import { Screen } from '../../../parts/screen.tsx';
import { useWords } from '../../../words/use-words.ts';
import type { PaperProps } from '../plan-page.ts';

/** The exact words that were accepted, with the mark that shows they are the same. */
export function Agreement({ state, plan, management, onBack }: PaperProps) {
  const { words, locale } = useWords();
  const copy = words.agreementPage;
  const { accepted_at, sha256, text, locale: readIn } = management.agreement;
  const lead = copy.lead(fullDate(accepted_at.slice(0, 10), locale));
  const version = words.consent.version(sha256);
  return (
    <Screen
      title={copy.title}
      lead={lead}
      onBack={onBack}
      footer={<PlanCost plan={plan} management={management} />}
    >
      <AgreementText text={text} locale={readIn} />
      <p class="reference">{version}</p>
      <PaperButtons
        fileName={words.consent.file}
        paper={{
          title: words.consent.paper,
          locale,
          lines: [[words.manage.number, plan.id]],
          texts: [{ text: lead }, { text, locale: readIn }, { text: version }],
        }}
        save={copy.save}
        print={copy.print}
      />
      <PlanSchedule plan={plan} management={management} today={state.today} />
    </Screen>
  );
}
