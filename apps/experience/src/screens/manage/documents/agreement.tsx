import { fullDate } from '../../../format/dates.ts';
import { signedOn } from '../../../format/plan-dates.ts';
import { AgreementText } from '../../../parts/documents/agreement-text.tsx';
import { DocumentButtons } from '../../../parts/documents/document-buttons.tsx';
import { PlanSchedule } from '../../../parts/payments/plan-schedule.tsx';
import { Screen } from '../../../parts/screen.tsx';
import { useWords } from '../../../words/use-words.ts';
import type { DocumentPageProps } from '../plan-page.ts';

/** The text that was accepted, with the hash that proves it is unchanged. */
export function Agreement({ state, plan, management, onBack }: DocumentPageProps) {
  const { words, locale } = useWords();
  const copy = words.agreementPage;
  const { sha256, text, locale: acceptedLocale } = management.agreement;
  const lead = copy.lead(fullDate(signedOn(management), locale));
  const version = words.consent.version(sha256);
  return (
    <Screen title={copy.title} lead={lead} onBack={onBack}>
      <AgreementText text={text} locale={acceptedLocale} />
      <p class="reference">{version}</p>
      <DocumentButtons
        document={{ kind: 'agreement', id: plan.id, fileName: words.consent.fileName }}
        save={copy.save}
        print={copy.print}
      />
      <PlanSchedule plan={plan} management={management} today={state.today} />
    </Screen>
  );
}
