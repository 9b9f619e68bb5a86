import {
  type ExperienceResult,
  Svc,
  SvcError,
  type SvcEvent,
  type SvcEventArguments,
  type SvcInstance,
  type SvcSettings,
} from '../index.ts';

/** The element `<svc-widget>`. Attributes: `balance`, `pms`, `external-id`, `signature`, … */
export interface SvcWidgetElement extends HTMLElement {
  /**
   * Settings that are no text, such as `onWidgetClickCallback` and `fetchToken`. They win over
   * attributes; giving some keeps the others.
   */
  settings: Partial<SvcSettings>;
  /** Opens the experience in this widget. Resolves when it is closed, never rejects. */
  openExperienceAndSetToken(token: string): Promise<ExperienceResult>;
}

declare global {
  interface HTMLElementTagNameMap {
    'svc-widget': SvcWidgetElement;
  }
  interface HTMLElementEventMap {
    /** Every event of a `<svc-widget>`; it bubbles. */
    'svc-event': CustomEvent<SvcEvent>;
  }
}

const attributes = {
  balance: 'balance',
  pms: 'pms',
  'external-id': 'externalId',
  signature: 'signature',
  environment: 'environment',
  'product-variant': 'productVariant',
  'base-url': 'baseUrl',
  'identity-check': 'identityCheck',
  locale: 'locale',
  token: 'token',
} as const satisfies Record<string, keyof SvcSettings>;

/**
 * Defines `<svc-widget>`, once however often it is called. Each event of the SDK is dispatched as
 * `svc-event` with `detail: { type, data }`; wrong attributes are an ERROR 1000 among them.
 */
export function defineSvcWidget(name = 'svc-widget'): void {
  if (customElements.get(name)) return;
  // Made here, because on a server there is no HTMLElement to extend.
  class Tag extends HTMLElement implements SvcWidgetElement {
    static observedAttributes = Object.keys(attributes);
    #inside = new Inside(this);

    get settings(): Partial<SvcSettings> {
      return this.#inside.settings;
    }

    set settings(settings: Partial<SvcSettings>) {
      this.#inside.settings = { ...this.#inside.settings, ...settings };
      this.#inside.renew();
    }

    connectedCallback(): void {
      this.#inside.renew();
    }

    attributeChangedCallback(): void {
      this.#inside.renew();
    }

    disconnectedCallback(): void {
      this.#inside.renew();
    }

    openExperienceAndSetToken(token: string): Promise<ExperienceResult> {
      return this.#inside.open(token);
    }
  }
  customElements.define(name, Tag);
}

/** What one tag holds. */
class Inside {
  settings: Partial<SvcSettings> = {};
  #tag: HTMLElement;
  #svc: SvcInstance | undefined;
  #due = false;
  #told = '';

  constructor(tag: HTMLElement) {
    this.#tag = tag;
  }

  /** Once for all changes of a task, so that a tag that is only moved keeps its widget. */
  renew(): void {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => this.#apply());
  }

  async open(token: string): Promise<ExperienceResult> {
    this.#apply();
    return this.#svc?.openExperienceAndSetToken(token) ?? { reason: 'destroyed', last_step: null };
  }

  #apply(): void {
    this.#due = false;
    if (!this.#tag.isConnected) {
      this.#svc?.destroy();
      this.#svc = undefined;
      return;
    }
    try {
      if (this.#svc) this.#svc.update(this.#all());
      else this.#append(Svc(this.#all()));
      this.#told = '';
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      this.#tell(error);
    }
  }

  #append(svc: SvcInstance): void {
    const { style } = this.#tag;
    this.#svc = svc;
    style.display ||= 'block';
    style.minHeight ||= '250px';
    this.#tag.append(svc.createWidget());
  }

  #all(): SvcSettings {
    const read: Record<string, unknown> = {};
    for (const [attribute, setting] of Object.entries(attributes)) {
      read[setting] = this.#tag.getAttribute(attribute) ?? undefined;
    }
    read.balance &&= Number(read.balance);
    const onEvent = (...event: SvcEventArguments) => {
      this.#dispatch(...event);
      const own = this.settings.onEvent as ((...event: SvcEventArguments) => void) | undefined;
      return own?.(...event);
    };
    // Without a callback the page listens for WIDGET_CLICKED and opens by itself.
    return { onWidgetClickCallback() {}, ...read, ...this.settings, onEvent } as SvcSettings;
  }

  #tell({ message: msg }: SvcError): void {
    if (this.#told === msg) return;
    this.#told = msg;
    console.error(msg);
    const error_code = 'invalid_settings';
    this.#dispatch('ERROR', { code: 1000, error_code, msg, retryable: false });
  }

  #dispatch(...[type, data]: SvcEventArguments): void {
    const detail = { type, data };
    this.#tag.dispatchEvent(new CustomEvent('svc-event', { detail, bubbles: true }));
  }
}
