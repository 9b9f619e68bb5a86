import type { Words } from './en.ts';

/** Why a bank did not pay, by its return code; an unknown one gets a plain sentence. */
export function bankSays(returnCode: string, { bankSays: reasons }: Words): string {
  return Object.hasOwn(reasons, returnCode)
    ? reasons[returnCode as keyof typeof reasons]
    : reasons.other;
}
