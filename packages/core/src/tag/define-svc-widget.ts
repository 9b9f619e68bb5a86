import {
  type ExperienceResult,
  Svc,
  type SvcDiagnosis,
  SvcError,
  type SvcEvent,
  type SvcEventArguments,
  type SvcInstance,
  type SvcSettings,
  showSettingsProblem,
} from '../index.ts';
import { settingAttributes } from '../settings.ts';

/** The element `<svc-widget>`. Attributes: `balance`, `pms`, `external-id`, `signature`, … */
export interface SvcWidgetElement extends HTMLElement {
  /**
   * Settings that are not text, such as `onWidgetClickCallback` and `fetchToken`. They take precedence over
   * attributes. Assigning some keeps the others.
   */
  settings: Partial<SvcSettings>;
  /** Opens the experience in this widget. Resolves when it is closed, never rejects. */
  openExperienceAndSetToken(token: string): Promise<ExperienceResult>;
  /** The widget's state for the doctor; undefined while there is no widget. */
  diagnose(): SvcDiagnosis | undefined;
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

/**
 * Defines `<svc-widget>`. Calling it again does nothing. Each event of the SDK is dispatched as
 * `svc-event` with `detail: { type, data }`, including an ERROR 1000 for wrong attributes.
 */
export function defineSvcWidget(name = 'svc-widget'): void {
  if (customElements.get(name)) return;
  // The class is inside the function, because on a server there is no HTMLElement to extend.
  class SvcWidgetTag extends HTMLElement implements SvcWidgetElement {
    static observedAttributes = Object.values(settingAttributes);
    #widget = new TagWidget(this);

    get settings(): Partial<SvcSettings> {
      return this.#widget.settings;
    }

    set settings(settings: Partial<SvcSettings>) {
      this.#widget.settings = { ...this.#widget.settings, ...settings };
      this.#widget.scheduleUpdate();
    }

    connectedCallback(): void {
      this.#widget.scheduleUpdate();
    }

    attributeChangedCallback(): void {
      this.#widget.scheduleUpdate();
    }

    disconnectedCallback(): void {
      this.#widget.scheduleUpdate();
    }

    openExperienceAndSetToken(token: string): Promise<ExperienceResult> {
      return this.#widget.open(token);
    }

    diagnose(): SvcDiagnosis | undefined {
      return this.#widget.diagnose();
    }
  }
  customElements.define(name, SvcWidgetTag);
}

/** The widget of one `<svc-widget>`. */
class TagWidget {
  settings: Partial<SvcSettings> = {};
  #tag: HTMLElement;
  #svc: SvcInstance | undefined;
  #isUpdateScheduled = false;
  /** Restores the widget after a morph of the page, which removes it and its size: the server's HTML has neither. */
  #observer: MutationObserver;
  /** The last message about wrong settings, so that each is reported once. */
  #reportedMessage = '';
  #removeNote = () => {};

  constructor(tag: HTMLElement) {
    this.#tag = tag;
    this.#observer = new MutationObserver(() => this.scheduleUpdate());
  }

  /** Schedules one update for all changes of a task, so that a tag that is moved keeps its widget. */
  scheduleUpdate(): void {
    if (this.#isUpdateScheduled) return;
    this.#isUpdateScheduled = true;
    queueMicrotask(() => this.#update());
  }

  async open(token: string): Promise<ExperienceResult> {
    this.#update();
    return this.#svc?.openExperienceAndSetToken(token) ?? { reason: 'destroyed', last_step: null };
  }

  diagnose(): SvcDiagnosis | undefined {
    return this.#svc?.diagnose();
  }

  #update(): void {
    this.#isUpdateScheduled = false;
    if (!this.#tag.isConnected) {
      this.#observer.disconnect();
      this.#svc?.destroy();
      this.#svc = undefined;
      return;
    }
    try {
      if (this.#svc) this.#svc.update(this.#allSettings());
      else this.#create();
      this.#show();
      this.#reportedMessage = '';
      this.#removeNote();
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      this.#report(error);
    }
  }

  #create(): void {
    this.#svc = Svc(this.#allSettings());
    this.#observer.observe(this.#tag, { childList: true, attributeFilter: ['style'] });
  }

  #show(): void {
    const { style } = this.#tag;
    style.display ||= 'block';
    style.minHeight ||= '250px';
    const widget = this.#svc?.createWidget();
    if (widget && widget.parentNode !== this.#tag) this.#tag.append(widget);
  }

  #allSettings(): SvcSettings {
    const fromAttributes: Record<string, unknown> = {};
    for (const [setting, attribute] of Object.entries(settingAttributes)) {
      fromAttributes[setting] = this.#tag.getAttribute(attribute) ?? undefined;
    }
    const { balance } = fromAttributes;
    if (balance) fromAttributes.balance = Number(balance);
    const onEvent = (...event: SvcEventArguments) => {
      this.#dispatch(...event);
      const pageHandler = this.settings.onEvent as
        | ((...event: SvcEventArguments) => void)
        | undefined;
      return pageHandler?.(...event);
    };
    return {
      // A page without a callback listens for WIDGET_CLICKED and calls openExperienceAndSetToken.
      onWidgetClickCallback() {},
      ...fromAttributes,
      ...this.settings,
      onEvent,
    } as SvcSettings;
  }

  #report(error: SvcError): void {
    const { message: msg } = error;
    if (this.#reportedMessage === msg) return;
    this.#reportedMessage = msg;
    this.#removeNote();
    // A widget that is shown already stays as it is.
    const box = this.#svc ? null : this.#tag;
    this.#removeNote = showSettingsProblem(box, this.#allSettings(), error);
    const error_code = 'invalid_settings';
    this.#dispatch('ERROR', { code: 1000, error_code, msg, retryable: false });
  }

  #dispatch(...[type, data]: SvcEventArguments): void {
    const detail = { type, data };
    this.#tag.dispatchEvent(new CustomEvent('svc-event', { detail, bubbles: true }));
  }
}
