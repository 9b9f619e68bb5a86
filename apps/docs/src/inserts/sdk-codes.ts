import { errorCatalog, type SdkError, sdkErrorCatalog } from '@svc/contract';
import { sampleOrigin } from '../generate/sample-origin.ts';
import type { Insert } from './insert.ts';

/** Every code of the SDK under its own heading. A code that the API knows, too, has a prefix. */
export function sdkCodes(): Insert {
  const entries: [string, SdkError][] = Object.entries(sdkErrorCatalog);
  const text = (words: string) =>
    words.replaceAll('{service}', sampleOrigin).replaceAll('{page}', 'your page’s origin');
  const parts = entries.map(([code, { code: number, meaning, cause, fix }]) =>
    [
      `### \`${code}\` {#${Object.hasOwn(errorCatalog, code) ? `sdk-${code}` : code}}`,
      text(meaning),
      `- **Event:** ${number === null ? 'none, a line of the console only' : `\`ERROR\` ${number}`}\n- **Cause:** ${text(cause)}\n- **What to do:** ${text(fix)}`,
    ].join('\n\n'),
  );
  return { markdown: parts.join('\n\n') };
}
