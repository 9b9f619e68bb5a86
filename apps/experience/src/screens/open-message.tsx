import { defaultLocale, localeOf } from '@svc/contract/locales';
import { useState } from 'preact/hooks';
import { useFlow } from '../flow/flow.ts';
import { confirmLinkCode, sendLinkCode } from '../flow/hosted.ts';
import type { SentTo } from '../flow/store.ts';
import { CodeField } from '../parts/code-field.tsx';
import { Emblem } from '../parts/icons.tsx';
import { Screen } from '../parts/screen.tsx';
import { useWords } from '../words/use-words.ts';

/**
 * Opens a link from an email or a text message. Nothing about the tenant is shown before the code is entered,
 * because the message may have been forwarded.
 */
export function OpenMessage({ sentTo }: { sentTo: SentTo }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const { store } = flow;
  const copy = words.linkCode;
  const [code, setCode] = useState('');
  const send = () => void sendLinkCode(flow, localeOf(locale) ?? defaultLocale);

  function confirm(): void {
    const digits = code.replaceAll(/\D/g, '');
    const isComplete = digits.length === 6;
    store.fieldErrors.value = isComplete ? {} : { code: (it) => it.linkCode.incomplete };
    if (isComplete) void confirmLinkCode(flow, digits);
  }

  if (sentTo === null) {
    return (
      <Screen
        title={copy.title}
        lead={copy.text}
        emblem={<Emblem name="window" />}
        footer={
          <button
            type="button"
            class="svc-button svc-button--block"
            aria-busy={store.busy.value}
            onClick={send}
          >
            {copy.action}
          </button>
        }
      >
        <p>{store.fieldErrors.value.code?.(words) ?? copy.once}</p>
      </Screen>
    );
  }
  return (
    <Screen
      title={copy.enterTitle}
      lead={copy.sent[sentTo]}
      onSubmit={confirm}
      footer={
        <div class="actions">
          <button
            type="button"
            class="svc-button svc-button--secondary svc-button--block"
            onClick={send}
          >
            {copy.again}
          </button>
          <button type="submit" class="svc-button svc-button--block" aria-busy={store.busy.value}>
            {copy.open}
          </button>
        </div>
      }
    >
      <CodeField label={copy.label} value={code} onValue={setCode} />
    </Screen>
  );
}
