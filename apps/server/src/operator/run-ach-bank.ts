import { parseArgs } from 'node:util';
import { type Config, ConfigError } from '../config.ts';
import { answersOf, openAchBank } from '../simulator/ach-bank.ts';
import { UsageError } from './usage-error.ts';

/**
 * `svc ach-bank`: plays the bank in the sandbox, with files only. Takes our files out of the outbox,
 * acknowledges them, and returns the debits of test accounts that fail. With `--trace` and `--code` it
 * also returns or corrects one entry that we sent before. Returns what it did, for the terminal.
 * @throws UsageError and ConfigError
 */
export async function runAchBank(
  args: readonly string[],
  { environment, ach }: Pick<Config, 'environment' | 'ach'>,
  now: () => Date,
): Promise<string> {
  const { trace, code, corrected } = parse(args);
  if (environment !== 'sandbox' || !ach) {
    throw new ConfigError('"ach-bank" needs SVC_ENVIRONMENT=sandbox and SVC_PROCESSOR=ach.');
  }
  const bank = openAchBank(ach, now);
  const entries = await bank.collect();
  const answers = answersOf(entries);
  if (trace !== undefined && code !== undefined) {
    const entry = await bank.find(`${ach.bankRoutingNumber.slice(0, 8)}${trace.slice(-7)}`);
    if (!entry) {
      throw new UsageError(`No file in the archive has the trace ${trace}. "ach show" lists them.`);
    }
    answers.push({ entry, reason: code, ...(corrected !== undefined && { corrected }) });
  }
  const name = await bank.send(answers);
  const sent =
    name === undefined ? 'sent no file' : `answered ${answers.length} of them in ${name}`;
  return `Entries that the bank took out of the outbox: ${entries.length}. It ${sent}.\n`;
}

function parse(args: readonly string[]) {
  const option = { type: 'string' } as const;
  let values: { trace?: string; code?: string; corrected?: string };
  try {
    const options = { trace: option, code: option, corrected: option };
    values = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { trace, code, corrected } = values;
  if ((trace === undefined) !== (code === undefined)) {
    throw new UsageError('--trace and --code belong together: pass both or neither.');
  }
  if (trace !== undefined && !/^\d{7}(\d{8})?$/.test(trace)) {
    throw new UsageError(`--trace must be the 7 digits that "ach show" lists, not "${trace}".`);
  }
  if (code !== undefined && !/^(R(0[1-9]|[1-8]\d)|C(0[1-9]|1[0-4]))$/.test(code)) {
    throw new UsageError(`--code must be one such as R01 or C01, not "${code}".`);
  }
  if (
    corrected !== undefined &&
    (!code?.startsWith('C') || !/^[0-9A-Za-z ]{1,29}$/.test(corrected))
  ) {
    throw new UsageError(
      '--corrected is the data of a C code, at most 29 letters, digits and spaces.',
    );
  }
  return { trace, code, corrected };
}
