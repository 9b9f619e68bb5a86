import type { ExperienceState } from '@svc/contract';
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { confirmIdentity } from '../flow/confirm-identity.ts';
import { closeExperience, goToStep, useFlow } from '../flow/flow.ts';
import type { FieldErrors } from '../flow/store.ts';
import { parseDate } from '../format/parse-date.ts';
import { Field, RequiredNote } from '../parts/field.tsx';
import { Emblem } from '../parts/icons.tsx';
import { Screen } from '../parts/screen.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { useWords } from '../words/use-words.ts';
import { BirthDate } from './apply/application.tsx';

interface StateProps {
  state: ExperienceState;
}

/** Wraps a screen so that a session from an email link must confirm the tenant's identity first. */
export function onceConfirmed(Target: ComponentType<StateProps>) {
  return function OnceConfirmed({ state }: StateProps) {
    const flow = useFlow();
    if (state.mail_access === null) return <Target state={state} />;
    const { step } = state;
    return (
      <ConfirmIdentity
        state={state}
        {...(step === flow.store.step.value ? {} : { onBack: () => goToStep(flow, step) })}
      />
    );
  };
}

interface ConfirmProps extends StateProps {
  onBack?: () => void;
}

/** Sends the tenant to the portal, which knows them. If its address is unknown, asks two questions. */
export function ConfirmIdentity(props: ConfirmProps) {
  const { continue_in } = props.state.mail_access ?? {};
  return continue_in === 'portal' ? <InPortal {...props} /> : <Questions {...props} />;
}

function InPortal({ state, ...back }: ConfirmProps) {
  const flow = useFlow();
  const { words } = useWords();
  const copy = words.confirm;
  const { portal } = words.product[state.tenant.product_variant];
  return (
    <Screen
      title={copy.portalTitle(portal)}
      lead={copy.portalLead}
      emblem={<Emblem name="window" tone="plain" />}
      {...back}
      footer={
        <button
          type="button"
          class="svc-button svc-button--block"
          onClick={() => closeExperience(flow)}
        >
          {copy.portalAction(portal)}
        </button>
      }
    />
  );
}

/** Asks for the date of birth and the last four digits. The answers are never saved as a draft. */
function Questions({ state, ...back }: ConfirmProps) {
  const flow = useFlow();
  const { store } = flow;
  const { words } = useWords();
  const copy = words.confirm;
  const [birth, setBirth] = useState('');
  const [last4, setLast4] = useState('');

  function send(): void {
    const dateOfBirth = parseDate(birth);
    const isFour = /^\d{4}$/.test(last4.trim());
    const errors: FieldErrors = {};
    if (dateOfBirth === null) errors.date_of_birth = (it) => it.application.birthError;
    if (!isFour) errors.last4 = (it) => it.confirm.last4Error;
    store.fieldErrors.value = errors;
    if (dateOfBirth === null || !isFour) return;
    void confirmIdentity(flow, { dateOfBirth, last4: last4.trim() });
  }

  return (
    <Screen
      title={copy.title}
      lead={copy.lead}
      {...back}
      onSubmit={send}
      footer={<SubmitButton>{copy.action}</SubmitButton>}
    >
      <RequiredNote />
      <BirthDate value={birth} onValue={setBirth} />
      <Field
        name="last4"
        label={copy.last4}
        hint={copy.last4Hint}
        input={{
          value: last4,
          inputMode: 'numeric',
          enterKeyHint: 'go',
          autoComplete: 'off',
          maxLength: 4,
        }}
        onValue={setLast4}
      />
      {store.fieldErrors.value.last4 === undefined && (
        <p class="quiet">{copy.tries(state.mail_access?.tries_left ?? 0)}</p>
      )}
    </Screen>
  );
}
