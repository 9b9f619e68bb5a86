import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { press, waitForTitle } from './fixture/actions.ts';
import { dropped } from './fixture/service.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { halfway, withPlan } from './manage-scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const chosen = () =>
  stage.service.calls.flatMap(({ call, body }) =>
    call === 'POST /electronic_records' ? [body] : [],
  );

test('a tenant switches to notices on paper, and agrees to email again', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  await press(it, /^How you get notices/);
  await waitForTitle(it, 'Get notices on paper?');
  await press(it, 'Keep email');
  expect(chosen()).toEqual([]);
  await press(it, /^How you get notices/);
  await press(it, 'Switch to paper');
  await it.frame.getByRole('alert').getByText('Your notices come on paper').waitFor();
  await press(it, /^How you get notices/);
  await waitForTitle(it, 'Get notices by email?');
  await it.frame.getByText('I can get a free paper copy of any notice.').waitFor();
  expect(await violationsOf(it.frame)).toEqual([]);
  await press(it, 'I agree');
  await it.frame.getByRole('alert').getByText('Your notices come by email').waitFor();
  expect(chosen()).toEqual([{ accepted_sha256: null }, { accepted_sha256: 'sha256-of-en' }]);
  await it.close();
});

test('without a connection, nothing changes and the choice can be made again', async () => {
  const it = await stage.open({ state: withPlan(halfway) });
  stage.service.faults.set('POST /electronic_records', [...dropped]);
  await press(it, /^How you get notices/);
  await press(it, 'Switch to paper');
  await it.frame.getByRole('alert').getByText('We couldn’t reach the service').waitFor();
  stage.service.faults.delete('POST /electronic_records');
  await press(it, 'Switch to paper');
  await it.frame.getByRole('alert').getByText('Your notices come on paper').waitFor();
  await it.close();
});
