/** What is wrong with an endpoint's own name as typed, or null; the service has the same limits. */
export function checkUid(text: string): string | null {
  const uid = text.trim();
  if (uid.startsWith('ep_')) return 'It can’t begin with ep_: the ids of this service do.';
  if (uid.length > 100) return 'At most 100 characters.';
  return /^[A-Za-z0-9_.-]*$/.test(uid) ? null : 'Take letters, digits and _ . - only.';
}
