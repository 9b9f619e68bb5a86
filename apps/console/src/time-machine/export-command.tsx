import { CodeFile } from '@svc/ui/console/parts/code-file.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { TenantHistory } from '../api/time-machine.ts';

interface ExportCommandProps {
  readonly tenant: string;
  readonly at: string | null;
  readonly change: TenantHistory['change'];
}

const options: Record<string, string> = {
  fail_next_payment: '--fail-next-payment',
  advance_clock: '--advance',
  underwriting_result: '--underwriting',
  terms_version: '--terms',
};

/** The CLI command that writes a copy as a test. The CLI has the API key, so the console does not write files. */
export function ExportCommand({ tenant, at, change }: ExportCommandProps) {
  const changes = Object.entries(change ?? {}).flatMap(([name, value]) => {
    const option = options[name];
    return option === undefined ? [] : [option, quoteArgument(value)];
  });
  const atArguments = at === null ? [] : ['--at', at];
  const commandFor = (name: string) =>
    ['svc tenant fork', quoteArgument(name), ...atArguments, ...changes, '--as vitest\n'].join(' ');
  return (
    <CodeFile
      file="Export as test"
      note="for Vitest, or --as pytest"
      code={commandFor(tenant)}
      shown={commandFor(visibleText(tenant))}
    />
  );
}

/** Quotes text as a shell argument, if it needs quotes. */
function quoteArgument(text: string): string {
  return /^[\w.:@~-]+$/.test(text) && !text.startsWith('~')
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
}
