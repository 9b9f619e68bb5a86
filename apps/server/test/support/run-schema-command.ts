import { readConfig } from '../../src/config.ts';
import { parseCommandLine } from '../../src/operator/parse-command-line.ts';

/**
 * Runs a command on the schema as the command line does, such as `migrate apply`, in this process. If the
 * command throws, the exit code is 1 and the output is the error's message.
 */
export async function runSchemaCommand(
  line: string,
  config = readConfig({}),
): Promise<{ code: number; output: string }> {
  const call = parseCommandLine(line.split(' '));
  if ('help' in call || call.command.scope !== 'schema') throw new Error(`${line} does not`);
  const { command, input, json, createDatabase, reason } = call;
  let output = '';
  const context = {
    config,
    createDatabase,
    by: { user: 'ops-ada', ...(reason !== undefined && { reason }) },
    log: { info() {}, warn() {}, error() {} },
    report: (reported: string) => {
      output += `${reported}\n`;
    },
    signal: new AbortController().signal,
  };
  try {
    const result = await command.run(context, input);
    output += json ? JSON.stringify(result) : command.describe(result, input);
    return { code: command.hasFailed?.(result) ? 1 : 0, output };
  } catch (error) {
    return { code: 1, output: (error as Error).message };
  }
}
