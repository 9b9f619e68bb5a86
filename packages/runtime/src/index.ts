export { type Clock, systemClock } from './clock.ts';
export type { Log } from './log.ts';
export { createLoop, type Loop, type LoopOptions } from './loop.ts';
export {
  createVault,
  decrypt,
  encrypt,
  lockedVault,
  parseSecretKeys,
  type SecretKeys,
  type Vault,
  weaknessOf,
} from './vault.ts';
