import { type DocumentBlock, documentBlocks } from '@svc/contract/document-blocks';
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
      <div class="svc-card agreement" lang={locale}>
        {documentBlocks(text).map((block, index) => (
          <Block key={index} {...block} />
        ))}
      </div>
    </>
  );
}

function Block(block: DocumentBlock) {
  switch (block.kind) {
    case 'heading':
      return <h3>{block.text}</h3>;
    case 'paragraph':
      return <p>{block.text}</p>;
    case 'list':
      return (
        <ol>
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ol>
      );
    case 'terms':
      return (
        <dl>
          {block.terms.map(({ term, value }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      );
  }
}
