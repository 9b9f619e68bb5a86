import { escapeHtml } from './escape-html.ts';

/** Renders the page at a former address, for static hosts. The service redirects by status instead. */
export function redirectPage(to: string, title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta http-equiv="refresh" content="0; url=${to}">
<link rel="canonical" href="${to}">
</head>
<body><p>This page is now at <a href="${to}">${to}</a>.</p></body>
</html>
`;
}
