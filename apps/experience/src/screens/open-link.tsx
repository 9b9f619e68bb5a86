import { useFlow } from '../flow/flow.ts';
import { enterByLink } from '../flow/session.ts';
import { Emblem } from '../parts/icons.tsx';
import { Screen } from '../parts/screen.tsx';
import { useFirstWords } from '../words/use-words.ts';

/** The page of an email link or a hosted link. The link is used only when the tenant presses the button. */
export function OpenLink() {
  const flow = useFlow();
  const { words } = useFirstWords();
  const copy = flow.store.isHosted ? words.hosted : words.link;
  return (
    <Screen
      title={copy.title}
      lead={copy.text}
      emblem={<Emblem name="calendar" />}
      footer={
        <button
          type="button"
          class="svc-button svc-button--block"
          onClick={() => void enterByLink(flow)}
        >
          {copy.action}
        </button>
      }
    >
      <p>{copy.once}</p>
    </Screen>
  );
}
