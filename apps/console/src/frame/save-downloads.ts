import { withCredentials } from '@svc/ui/console/api/frame-token.ts';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { saveFile } from '@svc/ui/frame/save-file.ts';

/** Makes download links load their files with `fetch`, because a link cannot send the frame's token. */
export function saveDownloads(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[download]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.protocol === 'blob:') return;
    event.preventDefault();
    void loadAndSave(link);
  });
}

async function loadAndSave({ href, download }: HTMLAnchorElement): Promise<void> {
  const answer = await withCredentials(async ({ headers, mode }) => ({
    response: await fetch(href, { headers, credentials: mode }),
  })).catch(() => null);
  if (answer?.response.ok) {
    const named = /filename="([^"]+)"/.exec(
      answer.response.headers.get('content-disposition') ?? '',
    );
    saveFile(download || named?.[1] || 'download', await answer.response.blob());
  } else {
    const why = answer ? `returned status ${answer.response.status}` : 'could not be reached';
    showToast(`The file was not saved: the service ${why}.`);
  }
}
