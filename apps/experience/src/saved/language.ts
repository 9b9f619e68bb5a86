const key = 'svc-language';

/** The language that the tenant chose here before; null when they never did. */
export function savedLanguage(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // The frame has no storage: the partner's page decides.
    return null;
  }
}

export function saveLanguage(locale: string): void {
  try {
    localStorage.setItem(key, locale);
  } catch {
    // Then the choice lives as long as the page.
  }
}
