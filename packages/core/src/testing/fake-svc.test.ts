import { beforeEach, expect, test, vi } from 'vitest';
import type { SvcEventArguments } from '../index.ts';
import {
  Environment,
  type FakeExperience,
  fakeExperiences,
  forgetFakes,
  Svc,
  SvcError,
} from './index.ts';

const given = {
  balance: 152012,
  pms: 'maple',
  externalId: 't-100',
  signature: '5'.repeat(64),
  environment: Environment.Sandbox,
  onEvent: vi.fn<(...event: SvcEventArguments) => void>(),
  onWidgetClickCallback: () => {},
};

beforeEach(() => {
  forgetFakes();
  given.onEvent.mockReset();
});

function fake(settings: object = {}): FakeExperience {
  Svc({ ...given, ...settings });
  return fakeExperiences.at(-1) as FakeExperience;
}

const typesOf = ({ events }: FakeExperience) => events.map(({ type }) => type);

test('a page that opens on click runs through to its settlement', async () => {
  const svc = Svc({
    ...given,
    onWidgetClickCallback: async () => void svc.openExperienceAndSetToken('svc_tt_1'),
  });
  const experience = fakeExperiences[0] as FakeExperience;
  await experience.click();
  expect([experience.open, experience.token]).toEqual([true, 'svc_tt_1']);
  const result = svc.openExperienceAndSetToken('svc_tt_1');
  experience.complete({ settlement_id: 'stl_9' });
  expect(await result).toEqual({ reason: 'completed', last_step: 'done' });
  expect(given.onEvent.mock.calls.map(([type]) => type)).toEqual([
    'WIDGET_CLICKED',
    'EXPERIENCE_OPENED',
    'APPLICATION_SUBMITTED',
    'USER_APPROVED',
    'SPLIT_RENT',
    'EXPERIENCE_CLOSED',
  ]);
  expect(given.onEvent.mock.calls[4]?.[1]).toMatchObject({
    settlement_id: 'stl_9',
    amount_in_cents: 152012,
  });
});

test('the fake refuses the same settings as the real SDK', () => {
  expect(() => fake({ balance: 1.5 })).toThrow(SvcError);
  expect(() => fake({ product_variant: 'hoa' })).toThrow('product_variant');
  expect(() => fake().svc.update({ signature: 'X' })).toThrow('signature');
});

test('a callback that throws is ERROR 1400, and an invalid token is ERROR 1100', async () => {
  const experience = fake({
    onWidgetClickCallback: () => Promise.reject(new Error('no backend')),
  });
  await experience.click();
  expect(await experience.svc.openExperienceAndSetToken('')).toEqual({
    reason: 'error',
    last_step: null,
  });
  const codes = experience.events.map((event) => event.type === 'ERROR' && event.data.code);
  expect(codes).toEqual([false, 1400, 1100]);
  expect(experience.open).toBe(false);
});

test('a returned token opens, and a preloaded one before the callback', async () => {
  const returned = fake({ onWidgetClickCallback: () => 'svc_tt_2' });
  await returned.click();
  expect(returned.token).toBe('svc_tt_2');
  const preloaded = fake({ token: 'svc_tt_3', onWidgetClickCallback: () => 'svc_tt_4' });
  await preloaded.click();
  expect(preloaded.token).toBe('svc_tt_3');
});

test('a session that ends takes its fresh token from fetchToken', async () => {
  const experience = fake({ token: 'svc_tt_1', fetchToken: async () => 'svc_tt_2' });
  await experience.click();
  await experience.expire();
  expect(experience.token).toBe('svc_tt_2');
  expect(experience.events.at(-1)).toEqual({ type: 'TOKEN_EXPIRED', data: { renewable: true } });
});

test('a decline closes without a settlement; a closed experience cannot be played', async () => {
  const experience = fake({ token: 'svc_tt_1' });
  expect(() => experience.decline()).toThrow('not open');
  await experience.click();
  experience.decline();
  expect(typesOf(experience).slice(-2)).toEqual(['USER_DECLINED', 'EXPERIENCE_CLOSED']);
  expect(typesOf(experience)).not.toContain('SPLIT_RENT');
});

test('listeners receive their type until removed; destroy closes the experience and removes them', async () => {
  const experience = fake({ token: 'svc_tt_1' });
  const heard = vi.fn<() => void>();
  const off = experience.svc.on('EXPERIENCE_OPENED', heard);
  await experience.click();
  off();
  const result = experience.svc.openExperienceAndSetToken('svc_tt_1');
  experience.svc.destroy();
  expect(heard).toHaveBeenCalledTimes(1);
  expect(await result).toEqual({ reason: 'destroyed', last_step: null });
  expect(() => experience.svc.createWidget()).toThrow('destroyed');
  await experience.click();
  expect(typesOf(experience).at(-1)).toBe('EXPERIENCE_CLOSED');
});
