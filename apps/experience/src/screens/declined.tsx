import type { ExperienceState } from '@svc/contract';
import { closeExperience, useFlow } from '../flow/flow.ts';
import { fullDate, longDate } from '../format/dates.ts';
import { formatMoney } from '../format/money.ts';
import { DocumentButtons } from '../parts/documents/document-buttons.tsx';
import { Facts } from '../parts/facts.tsx';
import type { Segment } from '../parts/payments/split-bar.tsx';
import { SplitRing } from '../parts/payments/split-ring.tsx';
import { Screen } from '../parts/screen.tsx';
import { StepsList } from '../parts/steps-list.tsx';
import type { Words } from '../words/en.ts';
import { inLanguage, payeeOf, productOf } from '../words/names.ts';
import { useWords } from '../words/use-words.ts';

/** No payment was made, and none is planned. */
const noSegments: Segment[] = ['canceled', 'canceled', 'canceled', 'canceled'];

type NoticeDocument = NonNullable<ExperienceState['notice']>;
type NoticeText = Pick<NoticeDocument, 'reasons' | 'parts' | 'rights' | 'english'>;

/** The declined application: reasons, next steps, deadline, contact and the legal notice. */
export function Declined({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const copy = words.declined;
  const { notice, application, eligibility, cycle, tenant } = state;
  const { yours } = productOf(state, words);
  const due =
    cycle !== null && cycle.due_date >= state.today
      ? longDate(cycle.due_date, locale, state.today)
      : null;
  return (
    <Screen
      title={copy.title(yours)}
      lead={copy.lead}
      emblem={<SplitRing segments={noSegments} icon="pause" />}
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
      {notice !== null && <Reasons state={state} notice={notice} />}
      <StepsList
        title={copy.next}
        steps={[
          words.payInPortal(yours, due),
          ...(eligibility.until === null
            ? []
            : [words.applyAgain(longDate(eligibility.until, locale, state.today))]),
          copy.ask(state.terms.support_email),
        ]}
      />
      {notice !== null && <Rights notice={notice} applicationId={application?.id ?? ''} />}
    </Screen>
  );
}

/** The reasons, and who decided. With `Rights`, the adverse action notice (12 CFR 1002.9). */
function Reasons({ state, notice }: { state: ExperienceState; notice: NoticeDocument }) {
  const { words, locale } = useWords();
  const copy = words.declined;
  const { reasons, english } = inLanguage<NoticeText>(notice, locale);
  return (
    <>
      <Facts lines={noticeLines(notice, words, locale)} />
      <section class="group">
        <h2 class="subtitle">{copy.reasons}</h2>
        <ul class="bullets">
          {reasons.map((reason) => (
            <li key={reason} lang={english.includes(reason) ? 'en' : undefined}>
              {reason}
            </li>
          ))}
        </ul>
        <p class="quiet">{copy.decided(fullDate(notice.decided_on, locale), notice.creditor)}</p>
        {notice.on_paper && <p class="quiet">{copy.onPaper}</p>}
        <p class="quiet">{copy.privacy(payeeOf(state, words))}</p>
      </section>
    </>
  );
}

/** The action taken, and on which application. */
function noticeLines(
  { applicant, amount_in_cents: amount }: NoticeDocument,
  { declined: copy }: Words,
  locale: string,
): [term: string, value: string][] {
  return [
    [copy.action, copy.actionTaken],
    ...(applicant === '' ? [] : [[copy.applicant, applicant] satisfies [string, string]]),
    ...(amount === null
      ? []
      : [[copy.amount, formatMoney(amount, locale)] satisfies [string, string]]),
  ];
}

/** Where the information came from, the tenant's rights, and the complete notice to save and print. */
function Rights({ notice, applicationId }: { notice: NoticeDocument; applicationId: string }) {
  const { words, locale } = useWords();
  const copy = words.declined;
  const { parts, rights, english } = inLanguage<NoticeText>(notice, locale);
  return (
    <>
      {parts.map(({ heading, paragraphs, facts, items }) => (
        <section
          // Two reports have the same heading.
          key={[heading, ...facts.map((it) => it.value), ...items].join(' ')}
          class="group"
        >
          <h2 class="subtitle">{heading}</h2>
          {paragraphs.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {facts.length > 0 && <Facts lines={facts.map((it) => [it.term, it.value])} />}
          {items.length > 0 && (
            <ul class="bullets">
              {items.map((it) => (
                <li key={it} lang={english.includes(it) ? 'en' : undefined}>
                  {it}
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
      <section class="svc-card decline-notice">
        <h2 class="subtitle">{copy.rights}</h2>
        <p>{rights}</p>
      </section>
      <DocumentButtons
        document={{ kind: 'notice', id: applicationId, fileName: copy.fileName }}
        save={copy.save}
        print={copy.print}
      />
    </>
  );
}
