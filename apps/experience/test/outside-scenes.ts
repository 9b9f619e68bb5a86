import { press, waitForTitle } from './fixture/actions.ts';
import type { OpenOptions } from './fixture/stage.ts';
import { halfway, withPlan } from './manage-scenes.ts';
import type { Scene } from './scene.ts';

const state = withPlan(halfway);
const openPlan = (it: Parameters<Scene['play']>[0]) => press(it, 'Open my plan');

function outsideScene(
  name: string,
  outside: OpenOptions['outside'] & string,
  play: Scene['play'],
): Scene {
  return { name, open: { state, outside }, play };
}

/** Scenes of the page outside a portal's frame, as an email link opens it. */
export const outsideScenes: Scene[] = [
  outsideScene('link', 'link', async () => {}),
  outsideScene('link-plan', 'link', async (it) => {
    await openPlan(it);
    await waitForTitle(it, 'Your next payment is Tuesday, February 17');
  }),
  outsideScene('link-wrong-answer', 'link', async (it) => {
    await toQuestions(it);
    await answerWrongly(it);
    await it.frame.getByText(/You have 4 tries left/).waitFor();
  }),
  outsideScene('trouble-link-blocked', 'link', async (it) => {
    await toQuestions(it);
    for (const left of [4, 3, 2]) {
      await answerWrongly(it);
      await it.frame.getByText(`You have ${left} tries left`).waitFor();
    }
    await answerWrongly(it);
    await it.frame
      .getByText(/You have one try left/)
      .first()
      .waitFor();
    await answerWrongly(it);
    await waitForTitle(it, 'This link no longer works');
  }),
  outsideScene('trouble-link-over', 'unknown_link', async (it) => {
    await openPlan(it);
    await waitForTitle(it, 'Open your plan from your portal');
  }),
  outsideScene('trouble-left', 'link', async (it) => {
    await openPlan(it);
    await press(it, /^Back to your (resident|owner) portal$/);
    await waitForTitle(it, 'You can close this page');
  }),
  outsideScene('trouble-unframed', 'no_link', (it) =>
    waitForTitle(it, 'Open this from your portal'),
  ),
];

/** Goes from the link to the questions that come before a payment. */
async function toQuestions(it: Parameters<Scene['play']>[0]): Promise<void> {
  await openPlan(it);
  await press(it, /^Pay early/);
  await waitForTitle(it, 'Confirm it’s you');
}

async function answerWrongly(it: Parameters<Scene['play']>[0]): Promise<void> {
  await it.frame.getByLabel('Date of birth').fill('04/27/1990');
  await it.frame.getByLabel(/^Last four digits/).fill('9999');
  await press(it, 'Continue');
}
