import type {
  CloseReason,
  ExperienceResult,
  Step,
  SvcDiagnosis,
  SvcEvent,
  SvcEventArguments,
  SvcEventMap,
  SvcEventType,
  SvcInstance,
  SvcSettings,
} from '../index.ts';
import { checkSettings } from '../settings.ts';
import { SvcError } from '../svc-error.ts';

/** The tenant's side of one `Svc(…)`, without a frame or a network. A test acts as the tenant. */
export interface FakeExperience {
  readonly svc: SvcInstance;
  /** The settings that the page passed, with all updates. */
  readonly settings: SvcSettings;
  readonly events: readonly SvcEvent[];
  readonly open: boolean;
  /** The last token that the page opened with; null before. */
  readonly token: string | null;
  readonly destroyed: boolean;
  /** The tenant clicks: WIDGET_CLICKED, then the page's callback. Resolves when the callback has finished. */
  click(): Promise<void>;
  /** Emits any event, as the experience would send it. */
  emit<T extends SvcEventType>(type: T, data: SvcEventMap[T]): void;
  /** The tenant applies, is approved, splits the balance in one settlement and closes. */
  complete(split?: Partial<SvcEventMap['SPLIT_RENT']>): void;
  /** The tenant applies, is declined and closes. */
  decline(): void;
  /** The session ends: TOKEN_EXPIRED, and a fresh token from `fetchToken` if there is one. */
  expire(): Promise<void>;
  /** @throws Error when it is not open. */
  close(reason?: CloseReason, lastStep?: Step | null): void;
}

const createdExperiences: FakeExperience[] = [];

/** The fakes, one for each `Svc(…)` so far, in order. */
export const fakeExperiences: readonly FakeExperience[] = createdExperiences;

/** Empties `fakeExperiences`; call it between tests. */
export function forgetFakes(): void {
  createdExperiences.length = 0;
}

/**
 * Replaces `@svc/core`'s `Svc`: it has the same settings, errors and events, and a plain
 * button for a widget, so that jsdom and happy-dom are enough.
 */
export function Svc(given: SvcSettings): SvcInstance {
  const fake = new Fake(given);
  createdExperiences.push(fake);
  return fake.svc;
}

class Fake implements FakeExperience {
  settings: SvcSettings;
  events: SvcEvent[] = [];
  token: string | null = null;
  destroyed = false;
  readonly svc: SvcInstance;
  #listeners: ((...event: SvcEventArguments) => void)[] = [];
  #widget: HTMLElement | undefined;
  #busy = false;
  #result: Promise<ExperienceResult> | undefined;
  #settle: (result: ExperienceResult) => void = () => {};

  constructor(given: SvcSettings) {
    checkSettings(given);
    this.settings = given;
    const isBusy = () => this.#busy;
    this.svc = {
      createWidget: () => this.#createWidget(),
      openExperienceAndSetToken: (token) => this.#openWith(token),
      update: (changes) => this.#update(changes),
      destroy: () => this.#destroy(),
      diagnose: () => this.#diagnose(),
      get busy() {
        return isBusy();
      },
      on: (type, listener) => this.#on(type, listener),
    };
  }

  get open(): boolean {
    return this.#result !== undefined;
  }

  async click(): Promise<void> {
    if (this.#busy || this.destroyed) return;
    this.emit('WIDGET_CLICKED', {});
    if (this.settings.token) void this.#openWith(this.settings.token);
    this.#busy = !this.open;
    try {
      const token = await this.settings.onWidgetClickCallback();
      if (typeof token === 'string') void this.#openWith(token);
    } catch (error) {
      this.#fail(1400, 'callback_threw', String(error));
    }
    this.#busy = false;
  }

  emit<T extends SvcEventType>(type: T, data: SvcEventMap[T]): void {
    if (this.destroyed) return;
    const event = [type, data] as unknown as SvcEventArguments;
    this.events.push({ type, data } as SvcEvent);
    for (const handler of [this.settings.onEvent as typeof this.emit, ...this.#listeners]) {
      (handler as (...event: SvcEventArguments) => void)(...event);
    }
  }

  complete(split: Partial<SvcEventMap['SPLIT_RENT']> = {}): void {
    this.#mustBeOpen();
    const amount_in_cents = this.settings.balance;
    this.emit('APPLICATION_SUBMITTED', { application_id: 'app_test' });
    this.emit('USER_APPROVED', {});
    this.emit('SPLIT_RENT', {
      settlement_id: 'stl_test',
      plan_id: 'pln_test',
      amount_in_cents,
      charges_paid: ['charge'],
      charges_and_amounts_paid: [{ charge_id: 'charge', amount_in_cents }],
      ...split,
    });
    this.close('completed', 'done');
  }

  decline(): void {
    this.#mustBeOpen();
    this.emit('APPLICATION_SUBMITTED', { application_id: 'app_test' });
    this.emit('USER_DECLINED', {});
    this.close('dismissed', 'declined');
  }

  async expire(): Promise<void> {
    this.#mustBeOpen();
    const { fetchToken } = this.settings;
    this.token = null;
    this.emit('TOKEN_EXPIRED', { renewable: !!fetchToken });
    if (!fetchToken) return;
    try {
      this.token = await fetchToken();
    } catch (error) {
      this.#fail(1400, 'callback_threw', String(error));
    }
  }

  close(reason: CloseReason = 'dismissed', lastStep: Step | null = 'offer'): void {
    this.#mustBeOpen();
    this.#result = undefined;
    const result = { reason, last_step: lastStep };
    this.emit('EXPERIENCE_CLOSED', result);
    this.#settle(result);
  }

  #createWidget(): HTMLElement {
    if (this.destroyed) throw new SvcError('destroyed', 'This instance was destroyed.');
    if (this.#widget) return this.#widget;
    const button = document.createElement('button');
    button.addEventListener('click', () => void this.click());
    this.#widget = document.createElement('div');
    this.#widget.append(button);
    this.#paint();
    queueMicrotask(() => this.emit('WIDGET_READY', { width: 420, height: 300, layout: 'roomy' }));
    return this.#widget;
  }

  #diagnose(): SvcDiagnosis {
    const { pms, externalId, signature, environment, balance } = this.settings;
    return {
      page_url: 'http://localhost/',
      service: 'http://localhost',
      environment,
      pms,
      external_id: externalId,
      signature,
      balance,
      container: null,
      status: null,
      blocked_by: [],
      problems: this.events.flatMap((event) => (event.type === 'ERROR' ? [event.data] : [])),
    };
  }

  #paint(): void {
    const button = this.#widget?.firstElementChild;
    const { balance } = this.settings;
    const text = (balance / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
    if (button) button.textContent = `Balance ${text}. See my options`;
  }

  async #openWith(token: unknown): Promise<ExperienceResult> {
    this.#busy = false;
    if (typeof token !== 'string' || !token || this.destroyed) {
      this.#fail(1100, 'token_not_a_string', 'The token is not a string.');
      return { reason: this.destroyed ? 'destroyed' : 'error', last_step: null };
    }
    if (this.#result) return this.#result;
    this.token = token;
    this.#result = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const result = this.#result;
    this.emit('EXPERIENCE_OPENED', {});
    return result;
  }

  #update(changes: Partial<SvcSettings>): void {
    const next = { ...this.settings, ...changes };
    checkSettings(next);
    this.settings = next;
    this.#paint();
  }

  #destroy(): void {
    if (this.open) this.close('destroyed', null);
    this.destroyed = true;
    this.#busy = false;
    this.#widget?.remove();
  }

  #on<T extends SvcEventType>(type: T, listener: (data: SvcEventMap[T]) => void): () => void {
    const handler = (...[emitted, data]: SvcEventArguments) => {
      if (emitted === type) listener(data as SvcEventMap[T]);
    };
    this.#listeners.push(handler);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== handler);
    };
  }

  #fail(code: 1100 | 1400, error_code: string, msg: string): void {
    this.emit('ERROR', { code, error_code, msg, retryable: true });
  }

  #mustBeOpen(): void {
    if (!this.open) throw new Error('the experience is not open: the page has not opened it');
  }
}
