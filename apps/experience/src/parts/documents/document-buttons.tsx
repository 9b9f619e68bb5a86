import { useFlow } from '../../flow/flow.ts';
import { type SavedDocument, saveDocument } from '../../flow/save-document.ts';
import { useWords } from '../../words/use-words.ts';
import { Icon } from '../icons.tsx';

interface DocumentButtonsProps {
  document: SavedDocument;
  save: string;
  /** Omitted if the screen contains more than the document. */
  print?: string;
}

/** Buttons that save the document as a PDF, or print the page. */
export function DocumentButtons({ document, save, print }: DocumentButtonsProps) {
  const flow = useFlow();
  const { locale } = useWords();
  return (
    <div class="actions document-buttons">
      <button
        type="button"
        class="svc-button svc-button--secondary svc-button--block"
        onClick={() => void saveDocument(flow, locale, document)}
      >
        <Icon name="download" />
        {save}
      </button>
      {print !== undefined && (
        <button
          type="button"
          class="svc-button svc-button--secondary svc-button--block"
          onClick={() => window.print()}
        >
          <Icon name="print" />
          {print}
        </button>
      )}
    </div>
  );
}
