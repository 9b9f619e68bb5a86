import { useFlow } from '../../flow/flow.ts';
import { documentFile, type PrintableDocument } from '../../format/document-file.ts';
import { readBrand } from '../../frame/read-brand.ts';
import { saveFile } from '../../frame/save-file.ts';
import { Icon } from '../icons.tsx';

interface DocumentButtonsProps {
  /** Without the extension. */
  fileName: string;
  content: PrintableDocument;
  save: string;
  /** Omitted if the screen contains more than the document. */
  print?: string;
}

/** Buttons that save the document as a file, or print the page. */
export function DocumentButtons({ fileName, content, save, print }: DocumentButtonsProps) {
  const { partner } = useFlow().store.page;
  const saveDocument = async () => {
    const text = documentFile(content, await readBrand(partner));
    saveFile(`${fileName}.html`, 'text/html', text);
  };
  return (
    <div class="actions document-buttons">
      <button
        type="button"
        class="svc-button svc-button--secondary svc-button--block"
        onClick={() => void saveDocument()}
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
