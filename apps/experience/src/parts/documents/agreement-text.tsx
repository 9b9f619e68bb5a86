import { useWords } from '../../words/use-words.ts';

/** The text of an agreement. Once accepted, it stays in the language in which it was accepted. */
export function AgreementText({ text, locale }: { text: string; locale: string }) {
  const language = useWords();
  const names = new Intl.DisplayNames([language.locale], { type: 'language' });
  const languageName = names.of(locale) ?? locale;
  return (
    <>
      {!language.locale.startsWith(locale) && (
        <p class="quiet">{language.words.agreementPage.otherLanguage(languageName)}</p>
      )}
      <p class="svc-card agreement" lang={locale}>
        {text}
      </p>
    </>
  );
}
