import { useFlow } from '../flow/flow.ts';
import { saveLanguage } from '../saved/language.ts';
import { languageChoices, useFirstWords, useRequestedLocale } from '../words/use-words.ts';

/**
 * Switches the language in place, so nothing typed is lost. With two languages it is a button that
 * names the other one; with more, a list.
 */
export function LanguageSwitch() {
  const { store } = useFlow();
  const { words } = useFirstWords();
  const choices = languageChoices(useRequestedLocale());
  const [other, ...more] = choices.filter(({ isChosen }) => !isChosen);
  const choose = (locale: string) => {
    store.language.value = locale;
    saveLanguage(locale);
  };
  if (other === undefined) return null;
  if (more.length === 0) {
    return (
      <button
        type="button"
        class="bar__language"
        lang={other.locale}
        onClick={() => choose(other.locale)}
      >
        {other.name}
      </button>
    );
  }
  return (
    <select
      class="bar__language"
      aria-label={words.language}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {choices.map(({ locale, name, isChosen }) => (
        <option key={locale} value={locale} lang={locale} selected={isChosen}>
          {name}
        </option>
      ))}
    </select>
  );
}
