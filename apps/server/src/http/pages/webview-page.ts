export const webviewPath = '/sdk/webview';

/**
 * The page in the WebViews of an app (`@svc/react-native`): the widget, or the experience. It is the same for
 * everybody, because the app tells its script which portal and tenant it is about. In a browser it does nothing.
 */
export function webviewPage(script: { path: string; integrity: string } | null): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>Svc</title>
<link rel="icon" href="data:,">
<style>html, body, #svc { height: 100%; margin: 0; background: transparent; }</style>
</head>
<body>
<div id="svc"></div>
${script === null ? '' : `<script type="module" src="${script.path}" integrity="${script.integrity}"></script>`}
</body>
</html>
`;
}
