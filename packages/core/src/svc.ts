import type { SvcEventMap, SvcEventType } from '@svc/contract/frame';
import { dress, endRun, letGo, openExperience } from './experience/experience.ts';
import { checkIdentity } from './identity.ts';
import type { ExperienceResult, Running } from './running.ts';
import { checkSettings, type SvcSettings, tenantOf } from './settings.ts';
import { SvcError } from './svc-error.ts';
import { watchSize } from './widget/watch-size.ts';
import { buildWidget } from './widget/widget.ts';

export interface SvcInstance {
  /**
   * The widget's element, complete at once and without a request; append it to a container of at
   * least 320 by 250 px. A second call returns the same element.
   * @throws SvcError `destroyed`
   */
  createWidget(): HTMLElement;
  /**
   * Opens the experience with a tenant token from portal_info. Resolves when it is closed, never
   * rejects: a token that can't be used is ERROR 1100 and the reason `error`.
   */
  openExperienceAndSetToken(token: string): Promise<ExperienceResult>;
  /**
   * Changes any settings at once, in place. Another tenant lets go of the open experience.
   * @throws SvcError `invalid_settings`, and then nothing has changed.
   */
  update(settings: Partial<SvcSettings>): void;
  /** Takes widget, dialog, frame, listeners and requests away, at any moment. */
  destroy(): void;
  /** Clicked, and the page's callback has not opened anything yet. */
  readonly busy: boolean;
  /** Listens to one type of event, beside `onEvent`. Returns the way to stop. */
  on<T extends SvcEventType>(type: T, listener: (data: SvcEventMap[T]) => void): () => void;
}

/**
 * Makes one widget with its experience. Nothing is requested and no element exists yet.
 * @throws SvcError `invalid_settings`, naming each wrong setting, what it got and what it wants.
 */
export function Svc(given: SvcSettings): SvcInstance {
  const at = {
    settings: { ...given },
    origin: checkSettings(given),
    listeners: new Set(),
    held: null,
    place: null,
  } as Partial<Running> as Running;
  return {
    createWidget() {
      if (at.destroyed) throw new SvcError('destroyed');
      if (!at.host) {
        at.host = buildWidget(at);
        watchSize(at, at.host);
      }
      return at.host;
    },
    openExperienceAndSetToken: (token) => openExperience(at, token),
    update(changes) {
      const before = identityOf(at);
      const settings = { ...at.settings, ...changes };
      at.origin = checkSettings(settings);
      at.settings = settings;
      if (identityOf(at) !== before) {
        at.tenant = undefined;
        letGo(at, 'dismissed');
        if (at.request) void checkIdentity(at);
      }
      at.paint?.();
      dress(at);
    },
    destroy() {
      letGo(at, 'destroyed');
      at.destroyed = true;
      at.observer?.disconnect();
      endRun(at);
      at.host?.remove();
    },
    get busy() {
      return !!at.busy;
    },
    on(type, listener) {
      const handler = (emitted: string, data: never) => {
        if (emitted === type) listener(data);
      };
      at.listeners.add(handler);
      return () => at.listeners.delete(handler);
    },
  };
}

function identityOf(at: Running): string {
  return at.origin + JSON.stringify(tenantOf(at.settings));
}
