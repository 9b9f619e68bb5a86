/** Gives each code block a button that copies its text, with the reader's values filled in. */
export function startCopying(): void {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll('figure.code')) {
    const code = block.querySelector('code');
    const caption = block.querySelector('figcaption');
    if (!code || !caption) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () =>
      showOutcome(button, 'Copy', navigator.clipboard.writeText(code.textContent ?? '')),
    );
    caption.append(button);
  }
  startCopyingPage();
}

/** Shows the button that copies the whole page as Markdown, for an assistant or an issue. */
function startCopyingPage(): void {
  const button = document.querySelector<HTMLButtonElement>('.copy-page');
  const address = button?.dataset.markdown;
  if (!button || address === undefined) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const text = fetch(address).then(async (response) => {
      if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
      return new Blob([await response.text()], { type: 'text/plain' });
    });
    // The item has a promise, because Safari allows no write that begins after the click has been handled.
    const item = new ClipboardItem({ 'text/plain': text });
    void showOutcome(button, 'Copy page', navigator.clipboard.write([item]));
  });
}

/** Shows on the button for 1.6 s whether copying worked. */
async function showOutcome(
  button: HTMLButtonElement,
  label: string,
  copying: Promise<void>,
): Promise<void> {
  button.textContent = await copying.then(
    () => 'Copied',
    () => 'Not allowed',
  );
  setTimeout(() => {
    button.textContent = label;
  }, 1600);
}
