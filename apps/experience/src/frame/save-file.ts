/** Offers a text made here as a download. Works in a frame without allow-popups. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // Chromium reads the file after the click has returned; a minute is ample.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
