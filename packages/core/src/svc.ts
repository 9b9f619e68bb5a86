import type { SvcDiagnosis, SvcEventMap, SvcEventType } from '@svc/contract/frame';
import { diagnose } from './diagnostics/diagnose.ts';
import { watchPolicy } from './diagnostics/watch-policy.ts';
import {
  handleFrameBlocked,
  openExperience,
  releaseExperience,
  updateExperienceAppearance,
} from './experience/experience.ts';
import { endTokenRequest } from './experience/token-request.ts';
import type { ExperienceResult, Instance } from './instance.ts';
import { checkSettings, type SvcSettings, tenantIdentity } from './settings.ts';
import { SvcError } from './svc-error.ts';
import { createWidget } from './widget/widget.ts';
import { refreshSession } from './widget/widget-session.ts';

export interface SvcInstance {
  /**
   * The widget's element, complete at once and without a request; append it to a container of at
   * least 320 by 250 px. A second call returns the same element.
   * @throws SvcError `destroyed`
   */
  createWidget(): HTMLElement;
  /**
   * Opens the experience with a tenant token from portal_info. Resolves when it is closed, never
   * rejects: a token that can't be used gives ERROR 1100 and the reason `error`.
   */
  openExperienceAndSetToken(token: string): Promise<ExperienceResult>;
  /**
   * Changes any settings in place. Another tenant closes and releases the open experience.
   * @throws SvcError `invalid_settings`, and then nothing has changed.
   */
  update(settings: Partial<SvcSettings>): void;
  /** Removes the widget, the dialog and the frame, and stops all events. Safe at any moment. */
  destroy(): void;
  /**
   * The widget's state for the doctor (`POST /v1/partner/doctor`, or the page Doctor of the webhook
   * portal). Requests nothing. It identifies the tenant and holds no token.
   */
  diagnose(): SvcDiagnosis;
  /** True after a click, until the page's callback has opened the experience or failed. */
  readonly busy: boolean;
  /** Listens to one type of event, in addition to `onEvent`. Returns a function that stops listening. */
  on<T extends SvcEventType>(type: T, listener: (data: SvcEventMap[T]) => void): () => void;
}

/**
 * Creates one widget with its experience. Requests nothing and creates no element yet.
 * @throws SvcError `invalid_settings`, whose `issues` name each wrong setting.
 */
export function Svc(settings: SvcSettings): SvcInstance {
  return publicInstance(createInstance(settings));
}

/** @throws SvcError `invalid_settings` */
export function createInstance(settings: SvcSettings): Instance {
  const instance: Instance = {
    settings: { ...settings },
    serviceOrigin: checkSettings(settings),
    openInApp: undefined,
    listeners: new Set(),
    destroyed: false,
    problems: [],
    blockedBy: new Map(),
    stopWatching() {},
    widget: undefined,
    session: undefined,
    refused: false,
    sessionRequest: undefined,
    tokenRequest: undefined,
    busy: false,
    openFailed: false,
    experience: undefined,
  };
  instance.stopWatching = watchPolicy(instance, () => handleFrameBlocked(instance));
  return instance;
}

function publicInstance(instance: Instance): SvcInstance {
  return {
    createWidget() {
      if (instance.destroyed) {
        throw new SvcError('destroyed', 'This instance was destroyed. Call Svc(…) for a new one.');
      }
      instance.widget ??= createWidget(instance);
      return instance.widget.element;
    },
    openExperienceAndSetToken: (token) => openExperience(instance, token),
    update: (changes) => updateSettings(instance, changes),
    destroy: () => destroy(instance),
    diagnose: () => diagnose(instance),
    get busy() {
      return instance.busy;
    },
    on(type, listener) {
      const handler = (emittedType: string, data: never) => {
        if (emittedType === type) return listener(data);
      };
      instance.listeners.add(handler);
      return () => instance.listeners.delete(handler);
    },
  };
}

export function updateSettings(instance: Instance, changes: Partial<SvcSettings>): void {
  const settings = { ...instance.settings, ...changes };
  const serviceOrigin = checkSettings(settings);
  const identityBefore = identityKey(instance);
  instance.settings = settings;
  instance.serviceOrigin = serviceOrigin;
  if (identityKey(instance) !== identityBefore) {
    instance.session = undefined;
    instance.refused = false;
    releaseExperience(instance, 'dismissed');
    // Before the first request, there is none to repeat.
    if (instance.sessionRequest) void refreshSession(instance);
  }
  instance.widget?.render();
  updateExperienceAppearance(instance);
}

export function destroy(instance: Instance): void {
  releaseExperience(instance, 'destroyed');
  instance.destroyed = true;
  instance.stopWatching();
  endTokenRequest(instance);
  instance.widget?.stopWatchingSize();
  instance.widget?.element.remove();
}

/** Returns a key that changes if the widget shows another tenant or uses another service. */
function identityKey({ serviceOrigin, settings }: Instance): string {
  return JSON.stringify([serviceOrigin, tenantIdentity(settings)]);
}
