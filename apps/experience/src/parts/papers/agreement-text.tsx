import { useWords } from '../../words/use-words.ts';

/** The agreement as the service wrote it, which is in English; says so in another language. */
export function AgreementText({ text }: { text: string }) {
  const { inEnglish } = useWords().words.consent;
  return (
    <>
      {inEnglish !== '' && <p class="quiet">{inEnglish}</p>}
      <p class="svc-card agreement" lang="en">
        {text}
      </p>
    </>
  );
}
