import { useEffect, useRef } from 'preact/hooks';
import { useFlow } from '../flow/flow.ts';
import { isGood, type Notice } from '../flow/store.ts';
import { longDate } from '../format/dates.ts';
import { formatMoney } from '../format/money.ts';
import { bankReason, methodName } from '../words/names.ts';
import { type Language, useLoadedWords } from '../words/use-words.ts';

/**
 * Shows the current notice. The element is always in the page, so that changes are announced. The words load
 * with the later screens, because only their actions have an outcome to report.
 */
export function NoticeBox() {
  const language = useLoadedWords();
  const notice = useFlow().store.notice.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that was pressed may be far below.
    if (notice !== null) box.current?.scrollIntoView({ block: 'nearest' });
  }, [notice]);
  return (
    <div role="alert" class="alert" ref={box}>
      {notice !== null && language !== null && <Box notice={notice} language={language} />}
    </div>
  );
}

function Box({ notice, language }: { notice: Notice; language: Language }) {
  const { title, text } = wordsOf(notice, language);
  const requestId = 'problem' in notice ? notice.problem.requestId : null;
  return (
    <div class={`svc-notice svc-tone-${isGood(notice) ? 'good' : 'warn'}`}>
      <p class="svc-notice__title">{title}</p>
      <p>{text}</p>
      {requestId !== null && <p class="reference">{language.words.reference(requestId)}</p>}
    </div>
  );
}

function wordsOf(notice: Notice, { words, locale }: Language): { title: string; text: string } {
  const { notices } = words;
  switch (notice.kind) {
    case 'rate_limited':
      return { title: notices.rate_limited.title, text: notices.rate_limited.text(notice.seconds) };
    case 'payment_failed':
    case 'repayment_failed': {
      const { title, text } = notices[notice.kind];
      const name = notice.method === null ? '' : methodName(notice.method, words);
      return { title: title(name), text: `${bankReason(notice.returnCode, words)} ${text}` };
    }
    case 'paid':
      return {
        title: notices.paid.title(formatMoney(notice.amountInCents, locale)),
        text: notices.paid.text,
      };
    case 'moved':
      return {
        title: notices.moved.title,
        text: notices.moved.text(
          formatMoney(notice.amountInCents, locale),
          // The new day is within a month, so the year is left out.
          longDate(notice.day, locale, notice.day),
        ),
      };
    case 'account_changed':
      return {
        title: notices.account_changed.title,
        text: notices.account_changed.text(methodName(notice.method, words)),
      };
    default:
      return notices[notice.kind];
  }
}
