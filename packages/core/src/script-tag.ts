import { Environment } from './environment.ts';
import { Svc } from './svc.ts';
import { SvcError } from './svc-error.ts';

/** For pages without a bundler: the global is the factory itself, and carries the rest. */
export default Object.assign(Svc, { Environment, SvcError });
