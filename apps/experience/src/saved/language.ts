const key = 'svc-language';

/** Returns the language that the tenant chose on an earlier visit, or null. */
export function savedLanguage(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is blocked in this frame.
    return null;
  }
}

export function saveLanguage(locale: string): void {
  try {
    localStorage.setItem(key, locale);
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
}
