import { z } from 'zod';

/** The largest file from a bank, in bytes. Enough for 20,000 entries. */
export const largestBankFile = 4 * 1024 * 1024;

export const bankFileParams = z.strictObject({ id: z.string().min(1).max(100) });
export const bankFileQuery = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(100)
    .describe('As the bank named it. An acknowledgement ends with `.ack`.'),
});
export const takenFileOutput = z.object({
  name: z.string().describe('The file is read within a minute.'),
});
