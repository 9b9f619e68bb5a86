import { defineCommand, option } from '../../../operator/command.ts';
import { UsageError } from '../../../operator/usage-error.ts';
import { ConfigError } from '../../../service-settings.ts';
import type { AchSettings } from '../ach-settings.ts';
import { answersOf, openAchBank } from '../simulated-bank.ts';

export const achBank = defineCommand({
  name: 'ach-bank',
  summary: 'sandbox: play the bank that takes and sends ACH files',
  input: {
    trace: option('--trace <digits>', 'also answer this entry, which was sent before', readTrace),
    code: option('--code <code>', 'return it with R01, or correct it with C01', readCode),
    corrected: option('--corrected <text>', 'the corrected data of a C code'),
  },
  effect: 'report',
  scope: 'settings',
  refuse({ trace, code, corrected }) {
    if ((trace === undefined) !== (code === undefined)) {
      return 'needs --trace and --code together: pass both or neither';
    }
    if (corrected === undefined) return undefined;
    return code?.startsWith('C') && /^[0-9A-Za-z ]{1,29}$/.test(corrected)
      ? undefined
      : 'takes --corrected with a C code only: at most 29 letters, digits and spaces';
  },
  /**
   * Takes our files out of the outbox, acknowledges them, and returns the debits of test accounts that
   * fail. With `trace` and `code` it also returns or corrects one entry that we sent before.
   */
  async run({ readConfig, clock }, { trace, code, corrected }) {
    const { environment, processor, processorSettings } = readConfig();
    if (environment !== 'sandbox' || processor !== 'ach') {
      throw new ConfigError('"ach-bank" needs SVC_ENVIRONMENT=sandbox and SVC_PROCESSOR=ach.');
    }
    const settings = processorSettings as AchSettings;
    const bank = openAchBank(settings, clock.now);
    const entries = await bank.collect();
    const answers = answersOf(entries);
    if (trace !== undefined && code !== undefined) {
      const entry = await bank.find(`${settings.bankRoutingNumber.slice(0, 8)}${trace.slice(-7)}`);
      if (!entry) {
        throw new UsageError(
          `No file in the archive has the trace ${trace}. "ach show" lists them.`,
        );
      }
      answers.push({ entry, reason: code, ...(corrected !== undefined && { corrected }) });
    }
    const file = await bank.send(answers);
    return { collected: entries.length, answered: answers.length, file: file ?? null };
  },
  describe({ collected, answered, file }) {
    const sent = file === null ? 'sent no file' : `answered ${answered} of them in ${file}`;
    return `Entries that the bank took out of the outbox: ${collected}. It ${sent}.\n`;
  },
});

function readTrace(text: string): string {
  if (/^\d{7}(\d{8})?$/.test(text)) return text;
  throw new UsageError(`--trace must be the 7 digits that "ach show" lists, not "${text}".`);
}

function readCode(text: string): string {
  if (/^(R(0[1-9]|[1-8]\d)|C(0[1-9]|1[0-4]))$/.test(text)) return text;
  throw new UsageError(`--code must be one such as R01 or C01, not "${text}".`);
}
