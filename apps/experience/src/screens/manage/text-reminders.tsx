import type { ExperienceState, TextsOutput } from '@svc/contract';
import { useState } from 'preact/hooks';
import { openPanel, useFlow } from '../../flow/flow.ts';
import type { FieldErrors } from '../../flow/store.ts';
import {
  confirmTextCode,
  openTexts,
  requestTextCode,
  stopTexts,
} from '../../flow/text-reminders.ts';
import { ActionRow } from '../../parts/action-row.tsx';
import { CodeField } from '../../parts/code-field.tsx';
import { Checkbox, Field } from '../../parts/field.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import type { Words } from '../../words/en.ts';
import { textIn } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import { ConfirmChange } from './confirm.tsx';

interface TextsProps {
  texts: TextsOutput;
}

/** Opens the page for reminders by text message, if the service sends them. */
export function TextsRow({ state }: { state: ExperienceState }) {
  const flow = useFlow();
  const copy = useWords().words.texts;
  if (!state.texts) return null;
  return <ActionRow title={copy.row} note={copy.rowNote} onPress={() => void openTexts(flow)} />;
}

/** Reminders are on: the number that gets them, and how to turn them off. */
export function TextsOn({ texts }: TextsProps) {
  const flow = useFlow();
  const copy = useWords().words.texts;
  return (
    <ConfirmChange
      title={copy.onTitle}
      lead={copy.onLead(texts.number?.slice(-4) ?? '')}
      keep={copy.keep}
      action={copy.stop}
      onAction={() => void stopTexts(flow)}
    >
      <ul class="svc-card svc-card--flush list">
        <ActionRow
          title={copy.change}
          note={copy.changeNote}
          onPress={() => openPanel(flow, { kind: 'text_number', texts })}
        />
      </ul>
    </ConfirmChange>
  );
}

/** Asks for the number and for the consent, whose exact words the service stores. */
export function TextNumber({ texts }: TextsProps) {
  const flow = useFlow();
  const { store } = flow;
  const { words, locale } = useWords();
  const copy = words.texts;
  const [number, setNumber] = useState(localNumber(texts.reported_number));
  const [agreed, setAgreed] = useState('');
  const consent = textIn(texts.consents, locale);
  const isAgreed = agreed === consent?.sha256;

  function send(): void {
    const errors: FieldErrors = {};
    if (number.replaceAll(/\D/g, '').length < 10) {
      errors.number = (it) => it.texts.problems.number;
    }
    if (!isAgreed) errors.agreed = (it) => it.texts.agreeError;
    store.fieldErrors.value = errors;
    if (consent === undefined || Object.keys(errors).length > 0) return;
    void requestTextCode(flow, { texts, number, consent });
  }

  return (
    <Screen
      title={copy.title}
      lead={leadOf(texts, copy)}
      onBack={() =>
        openPanel(flow, texts.state === 'on' ? { kind: 'texts', texts } : { kind: 'home' })
      }
      onSubmit={send}
      footer={<SubmitButton>{copy.action}</SubmitButton>}
    >
      <Field
        name="number"
        label={copy.number}
        hint={copy.numberHint}
        input={{
          value: number,
          type: 'tel',
          inputMode: 'tel',
          autoComplete: 'tel-national',
          enterKeyHint: 'next',
          maxLength: 20,
        }}
        onValue={setNumber}
      />
      <Checkbox
        name="agreed"
        checked={isAgreed}
        required
        onValue={(checked) => setAgreed(checked ? (consent?.sha256 ?? '') : '')}
      >
        {consent?.text}
      </Checkbox>
    </Screen>
  );
}

function leadOf({ state }: TextsOutput, copy: Words['texts']): string {
  if (state === 'stopped') return copy.stopped;
  return state === 'undeliverable' ? copy.undeliverable : copy.lead;
}

/** Formats `+12125550123` as `(212) 555-0123`. */
function localNumber(number: string | null): string {
  return number?.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3') ?? '';
}

/** Asks for the code in the text, which turns reminders on. */
export function TextCode({ texts, last4 }: TextsProps & { last4: string }) {
  const flow = useFlow();
  const { store } = flow;
  const copy = useWords().words.texts;
  const [code, setCode] = useState('');
  const again = () => openPanel(flow, { kind: 'text_number', texts });

  function send(): void {
    const digits = code.replaceAll(/\D/g, '');
    const isComplete = digits.length === 6;
    store.fieldErrors.value = isComplete ? {} : { code: (it) => it.texts.codeError };
    if (isComplete) void confirmTextCode(flow, digits);
  }

  return (
    <Screen
      title={copy.codeTitle}
      lead={copy.codeLead(last4)}
      onBack={again}
      onSubmit={send}
      footer={
        <div class="actions">
          <button
            type="button"
            class="svc-button svc-button--secondary svc-button--block"
            onClick={again}
          >
            {copy.again}
          </button>
          <SubmitButton>{copy.codeAction}</SubmitButton>
        </div>
      }
    >
      <CodeField label={copy.code} value={code} onValue={setCode} />
    </Screen>
  );
}
