/** Saves a file that the page has created or loaded. Works in a frame without `allow-popups`. */
export function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Chromium reads the file after `click` has returned, so it must stay available for a while.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
