import { createEndpointInput } from '@svc/contract';
import { expect, test } from 'vitest';
import { checkUid } from './check-uid.ts';

test.for(['ledger', 'ledger.v2_A-1', 'ep_1', 'my ledger', 'é', 'x'.repeat(100), 'x'.repeat(101)])(
  '%j is refused here exactly where the service refuses it',
  (uid) => {
    const { success } = createEndpointInput.safeParse({ url: 'https://a.example', uid });
    expect(checkUid(uid) === null).toBe(success);
  },
);
