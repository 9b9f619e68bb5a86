import type { ExperienceResult, SvcEventArguments, SvcSettings } from '@svc/core';
import {
  type CallbackName,
  type CallbackResult,
  type FromPage,
  type PassedSettings,
  SvcError,
} from '@svc/core/webview';
import { originOf, PageChannel } from './page-channel.ts';

/** The settings of `@svc/core`. The service's address has no default: a phone's localhost is the phone. */
export interface NativeSettings extends Omit<SvcSettings, 'baseUrl' | 'nonce'> {
  baseUrl: string;
}

interface Experience {
  channel: PageChannel;
  token: string;
  result: Promise<ExperienceResult>;
  resolve(result: ExperienceResult): void;
}

/**
 * One `<SvcWidget>`: its settings, the channel to the widget's page and, while the experience is open, the
 * one to the experience's page. The pages run `@svc/core`; this passes on what they say.
 */
export class MountedWidget {
  /** Null while `baseUrl` is wrong. */
  channel: PageChannel | null = null;
  experience: Experience | null = null;
  /** The click callback is running. */
  isBusy = false;
  #settings: NativeSettings;
  /** The settings as the pages have them. */
  #passed = '';
  #reported: string | null = null;
  #destroyed = false;
  /** Renders the component again. */
  #onChange: () => void;

  constructor(settings: NativeSettings, onChange: () => void) {
    this.#settings = settings;
    this.#onChange = onChange;
  }

  get settings(): NativeSettings {
    return this.#settings;
  }

  /** After each render. Pages get the settings only when one has changed. */
  update(settings: NativeSettings): void {
    this.#destroyed = false;
    this.#settings = settings;
    const serviceOrigin = this.#checkBaseUrl();
    const passed = JSON.stringify(this.#passedSettings());
    if (serviceOrigin !== (this.channel?.serviceOrigin ?? null)) {
      this.#close({ reason: 'dismissed', last_step: null });
      this.channel = serviceOrigin === null ? null : this.#openWidgetChannel(serviceOrigin);
      this.#onChange();
    } else if (passed !== this.#passed) {
      for (const channel of [this.channel, this.experience?.channel]) {
        channel?.send({ type: 'settings', settings: JSON.parse(passed) });
      }
    }
    this.#passed = passed;
  }

  /** Opens the experience, or hands another token to the open one. Never rejects. */
  async open(token: string): Promise<ExperienceResult> {
    if (this.#destroyed || this.channel === null) return { reason: 'destroyed', last_step: null };
    this.isBusy = false;
    if (this.experience) {
      this.experience.token = token;
      this.experience.channel.send({ type: 'token', token });
      return this.experience.result;
    }
    let resolve: Experience['resolve'] = () => {};
    const result = new Promise<ExperienceResult>((resolver) => {
      resolve = resolver;
    });
    const channel = this.#openExperienceChannel(this.channel.serviceOrigin);
    this.experience = { channel, token, result, resolve };
    this.channel.send({ type: 'opened' });
    this.#onChange();
    this.#emit('EXPERIENCE_OPENED', {});
    return result;
  }

  /** The phone's back button. The page goes one step back, or closes. One that has not loaded is closed here. */
  goBack(): void {
    const channel = this.experience?.channel;
    if (channel?.hasStarted) channel.send({ type: 'back' });
    else this.#close({ reason: 'error', last_step: null });
  }

  reportLoadFailure(msg: string): void {
    this.#emit('ERROR', { code: 1200, error_code: 'network', msg, retryable: true });
  }

  destroy(): void {
    this.#close({ reason: 'destroyed', last_step: null });
    this.#destroyed = true;
    this.channel = null;
  }

  #openWidgetChannel(serviceOrigin: string): PageChannel {
    const channel: PageChannel = new PageChannel(serviceOrigin, {
      onHello: () => ({ shows: 'widget', settings: this.#passedSettings(), token: null }),
      onMessage: (message) => {
        if (this.channel !== channel) return;
        if (message.type === 'open') void this.open(message.token);
        else this.#receive(channel, message);
      },
    });
    return channel;
  }

  #openExperienceChannel(serviceOrigin: string): PageChannel {
    const channel: PageChannel = new PageChannel(serviceOrigin, {
      onHello: () => ({
        shows: 'experience',
        settings: this.#passedSettings(),
        token: this.experience?.token ?? null,
      }),
      onMessage: (message) => {
        if (this.experience?.channel !== channel) return;
        if (message.type === 'closed') this.#close(message.result);
        else this.#receive(channel, message);
      },
    });
    return channel;
  }

  #receive(channel: PageChannel, message: FromPage): void {
    if (message.type === 'call') void this.#call(channel, message.call, message.name);
    // Only sandbox pages send it.
    else if (message.type === 'log') console.warn(message.line);
    else if (message.type === 'event') {
      const { type, data } = message.event;
      // These two are the app's to say: it shows and hides the experience.
      if (type === 'EXPERIENCE_OPENED' || type === 'EXPERIENCE_CLOSED') return;
      if (type === 'ERROR' && data.code === 1400) this.isBusy = false;
      if (channel !== this.channel) this.channel?.send({ type: 'seen', event: type });
      this.#emit(...([type, data] as SvcEventArguments));
    }
  }

  /** Runs the app's function for a page, and tells it how that ended. */
  async #call(channel: PageChannel, call: number, name: CallbackName): Promise<void> {
    if (name !== 'fetchToken' && name !== 'onWidgetClickCallback') return;
    const reply = (result: CallbackResult) => channel.send({ type: 'result', call, result });
    this.isBusy = true;
    try {
      const returned = this.#settings[name]?.();
      const value = await returned;
      if (typeof value === 'string') reply({ outcome: 'token', token: value });
      else if (value === null) reply({ outcome: 'null' });
      else if (typeof value === 'object' && 'token' in value) reply({ outcome: 'object' });
      // A function that returns no promise may still be at work.
      else if (value !== returned) reply({ outcome: 'nothing' });
      else return;
    } catch (error) {
      console.error(error);
      reply({ outcome: 'threw' });
    }
    this.isBusy = false;
  }

  /** Every way to close the experience ends here, once. */
  #close(result: ExperienceResult): void {
    const { experience } = this;
    if (!experience) return;
    this.experience = null;
    this.channel?.send({ type: 'closed', last_step: result.last_step });
    this.#onChange();
    this.#emit('EXPERIENCE_CLOSED', result);
    experience.resolve(result);
  }

  /** An exception of the app's handler ends in its console. */
  #emit(...event: SvcEventArguments): void {
    if (this.#destroyed) return;
    const handler = this.#settings.onEvent as
      | ((...event: SvcEventArguments) => unknown)
      | undefined;
    const call = async () => handler?.(...event);
    call().catch(console.error);
  }

  #passedSettings(): PassedSettings {
    const { onEvent: _, onWidgetClickCallback: __, fetchToken, ...settings } = this.#settings;
    return { ...settings, fetchToken: !!fetchToken };
  }

  /** The page checks all other settings. This one says where it is. */
  #checkBaseUrl(): string | null {
    const { baseUrl } = this.#settings;
    const origin = originOf(baseUrl);
    const problem =
      origin === null
        ? `baseUrl: ${JSON.stringify(baseUrl) ?? 'nothing'} is not the address of a service. Pass one such as https://svc.example.com/v1.`
        : null;
    if (problem !== null && problem !== this.#reported) {
      this.#emit('ERROR', {
        code: 1000,
        error_code: 'invalid_settings',
        msg: problem,
        retryable: false,
      });
    }
    this.#reported = problem;
    return origin;
  }
}

const mountedWidgets: Set<MountedWidget> = new Set();

export function addMounted(widget: MountedWidget): () => void {
  mountedWidgets.add(widget);
  return () => {
    mountedWidgets.delete(widget);
    // Not at once: StrictMode unmounts and mounts again, and the experience stays open.
    queueMicrotask(() => {
      if (!mountedWidgets.has(widget)) widget.destroy();
    });
  };
}

/**
 * Opens the experience with a tenant token, from the widget whose click callback is running, or else from
 * the only one. Resolves when the experience is closed.
 * @throws SvcError `not_mounted` without a widget, `ambiguous_instance` with several: use a ref
 */
export function openExperience({ token }: { token: string }): Promise<ExperienceResult> {
  const all = [...mountedWidgets];
  const clicked = all.filter(({ isBusy }) => isBusy);
  const [target, another] = clicked[0] ? clicked : all;
  if (!target) {
    const message =
      'No SvcWidget is mounted, so there is none to open. Call it while the SvcWidget is on the screen.';
    throw new SvcError('not_mounted', message);
  }
  if (another) {
    const message =
      'Several SvcWidgets are mounted. Open the one you mean through its ref or useSvc().';
    throw new SvcError('ambiguous_instance', message);
  }
  return target.open(token);
}
