/** Downloads `text` as a file. Works in a frame without `allow-popups`. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // Chromium reads the file after `click` has returned, so it must stay available for a while.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
