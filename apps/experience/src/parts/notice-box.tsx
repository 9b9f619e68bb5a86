import { useEffect, useRef } from 'preact/hooks';
import { useFlow } from '../flow/flow.ts';
import type { Notice } from '../flow/store.ts';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/use-words.ts';

/** What went wrong or changed, and whether money moved. Always in the page, so it is announced. */
export function NoticeBox() {
  const { words } = useWords();
  const notice = useFlow().store.notice.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that was pressed may be screens below.
    if (notice !== null) box.current?.scrollIntoView({ block: 'nearest' });
  }, [notice]);
  return (
    <div role="alert" class="alert" ref={box}>
      {notice !== null && <Box notice={notice} words={words} />}
    </div>
  );
}

function Box({ notice, words }: { notice: Notice; words: Words }) {
  const { title, text } = wordsOf(notice, words);
  const requestId = 'problem' in notice ? notice.problem.requestId : null;
  return (
    <div class="svc-notice svc-tone-warn">
      <p class="svc-notice__title">{title}</p>
      <p>{text}</p>
      {requestId !== null && <p class="reference">{words.notices.reference(requestId)}</p>}
    </div>
  );
}

function wordsOf(notice: Notice, { notices }: Words): { title: string; text: string } {
  switch (notice.kind) {
    case 'rate_limited':
      return { title: notices.rate_limited.title, text: notices.rate_limited.text(notice.seconds) };
    case 'payment_failed':
      return {
        title: notices.payment_failed.title(notice.label),
        text: [notice.bankSays, notices.payment_failed.text].filter(Boolean).join(' '),
      };
    case 'refused':
      return {
        title: notices.refused.title,
        text: `${notice.problem.message} ${notices.refused.text}`,
      };
    default:
      return notices[notice.kind];
  }
}
