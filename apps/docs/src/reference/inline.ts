/** Escapes text for HTML and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Renders the Markdown that descriptions use: `code` and **strong**. */
export function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

/** Renders text as paragraphs, with the same Markdown. */
export function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((part) => `<p>${inline(part)}</p>`)
    .join('\n');
}
