/** Reads a remembered choice; null if there is none or the browser blocks storage. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`svc-docs-${name}`);
  } catch {
    return null;
  }
}

/** Remembers a choice of the reader. Without storage it lasts until the page is left. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`svc-docs-${name}`, value);
  } catch {
    // Storage is blocked. The choice lasts on this page only.
  }
}
