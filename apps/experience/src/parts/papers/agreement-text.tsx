import { useWords } from '../../words/use-words.ts';

/** The agreement as the service wrote it; once it is accepted, in the language of that day. */
export function AgreementText({ text, locale }: { text: string; locale: string }) {
  const language = useWords();
  return (
    <>
      {!language.locale.startsWith(locale) && (
        <p class="quiet">{language.words.agreementPage.otherLanguage}</p>
      )}
      <p class="svc-card agreement" lang={locale}>
        {text}
      </p>
    </>
  );
}
