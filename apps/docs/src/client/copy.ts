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
    button.addEventListener('click', async () => {
      const copied = await navigator.clipboard.writeText(code.textContent ?? '').then(
        () => true,
        () => false,
      );
      button.textContent = copied ? 'Copied' : 'Not allowed';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1600);
    });
    caption.append(button);
  }
}
