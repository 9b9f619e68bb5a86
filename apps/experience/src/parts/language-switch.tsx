import { useFlow } from '../flow/flow.ts';
import { saveLanguage } from '../saved/language.ts';
import { otherLanguage, useRequested } from '../words/use-words.ts';

/** The other language, in its own name: one press, and nothing typed is lost. */
export function LanguageSwitch() {
  const { store } = useFlow();
  const other = otherLanguage(useRequested());
  return (
    <button
      type="button"
      class="bar__language"
      lang={other.locale}
      onClick={() => {
        store.language.value = other.locale;
        saveLanguage(other.locale);
      }}
    >
      {other.name}
    </button>
  );
}
