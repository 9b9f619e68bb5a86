import type { ExperienceState } from '@svc/contract';
import { closeExperience, useFlow } from '../flow/flow.ts';
import { dateInWords, fullDate } from '../format/dates.ts';
import { DocumentButtons } from '../parts/documents/document-buttons.tsx';
import { Emblem } from '../parts/icons.tsx';
import { Screen } from '../parts/screen.tsx';
import { StepsList } from '../parts/steps-list.tsx';
import { inLanguage, payeeOf, productOf } from '../words/names.ts';
import { useWords } from '../words/use-words.ts';

type NoticeDocument = NonNullable<ExperienceState['notice']>;
type NoticeText = Pick<NoticeDocument, 'reasons' | 'rights'>;

/** A decline: what the tenant can do, when to apply again, and the notice with its reasons. */
export function Declined({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.declined;
  const { notice, eligibility, cycle, tenant } = state;
  const { yours } = productOf(state, words);
  const due =
    cycle !== null && cycle.due_date >= state.today
      ? dateInWords(cycle.due_date, locale, state.today)
      : null;
  return (
    <Screen
      title={copy.title(yours)}
      lead={copy.lead}
      emblem={<Emblem name="pause" tone="plain" />}
      footer={
        <button
          type="button"
          class="svc-button svc-button--block"
          onClick={() => closeExperience(flow)}
        >
          {words.backToPortal(tenant.product_variant)}
        </button>
      }
    >
      <StepsList
        title={copy.next}
        steps={[
          copy.pay(yours, due),
          ...(eligibility.until === null
            ? []
            : [copy.again(dateInWords(eligibility.until, locale, state.today))]),
          copy.ask(state.terms.support_email),
        ]}
      />
      {notice !== null && <Notice state={state} notice={notice} />}
    </Screen>
  );
}

/** The adverse action notice (12 CFR 1002.9), which can be saved and printed. */
function Notice({ state, notice }: { state: ExperienceState; notice: NoticeDocument }) {
  const { words, locale } = useWords();
  const copy = words.declined;
  const decided = copy.decided(fullDate(notice.decided_on, locale), notice.creditor);
  const { reasons, rights } = inLanguage<NoticeText>(notice, locale);
  return (
    <>
      <section class="svc-card decline-notice" aria-labelledby="notice-title">
        <h2 class="subtitle" id="notice-title">
          {copy.notice}
        </h2>
        <p>{decided}</p>
        <h3 class="subtitle-small">{copy.reasons}</h3>
        <ul class="bullets">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        <p class="quiet">{copy.privacy(payeeOf(state, words))}</p>
        <h3 class="subtitle-small">{copy.rights}</h3>
        <p>{rights}</p>
      </section>
      <DocumentButtons
        fileName={copy.fileName}
        content={{
          title: copy.fileTitle,
          locale,
          lines: [],
          texts: [
            { text: decided },
            { heading: copy.reasons, text: reasons.join('\n') },
            { heading: copy.rights, text: rights },
          ],
        }}
        save={copy.save}
        print={copy.print}
      />
    </>
  );
}
