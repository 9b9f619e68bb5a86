import { documentFile, type Paper } from '../../format/document-file.ts';
import { saveFile } from '../../frame/save-file.ts';
import { Icon } from '../icons.tsx';

interface PaperButtonsProps {
  /** Without its ending. */
  fileName: string;
  paper: Paper;
  save: string;
  /** Absent where the screen is more than the paper. */
  print?: string;
}

/** Keep what is on the screen: as a file, or on paper by the print style. */
export function PaperButtons({ fileName, paper, save, print }: PaperButtonsProps) {
  return (
    <div class="actions paper-buttons">
      <button
        type="button"
        class="svc-button svc-button--secondary svc-button--block"
        onClick={() => saveFile(`${fileName}.html`, 'text/html', documentFile(paper))}
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
