import {
  type BrowserConnection,
  ignoreGone,
  ignoreProtocolError,
  type ProtocolData,
} from './connection.ts';
import { probeSource } from './probe.ts';

/** A request of the page or of a frame in it. */
export interface SeenRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | null;
  /** Such as `Document` or `Fetch`. */
  readonly type: string;
  /** The values of its headers, one on each line. */
  readonly headers: string;
  /** The navigation of the page, as opposed to that of a frame in it. */
  readonly isPageDocument: boolean;
  status: number | null;
  mimeType: string;
  /** Why there was no response, such as `net::ERR_CONNECTION_REFUSED`. */
  error: string | null;
  /** Reads the response's body; null if the browser no longer has it. */
  readBody(): Promise<string | null>;
}

export type Interception =
  | { readonly kind: 'continue'; readonly delayMs?: number }
  | { readonly kind: 'abort' }
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown };

/** Decides what happens to a request for the service. */
export type Interceptor = (request: { url: string; method: string; body: string }) => Interception;

/** Where to look: the page, or the service's frame in it. */
export type Place = 'page' | 'experience';

export interface FrameContext {
  readonly sessionId: string;
  readonly contextId: number;
  readonly frameId: string;
  readonly origin: string;
}

/** A record of a tab: its documents, its requests, and the exceptions of its scripts. */
export interface WatchedTab {
  requests(): readonly SeenRequest[];
  readonly exceptions: readonly string[];
  intercept(interceptor: Interceptor | null): void;
  /** The newest document there; undefined while there is none. */
  contextAt(place: Place): FrameContext | undefined;
  stop(): void;
}

type Handlers = Record<string, (params: ProtocolData, sessionId: string) => void>;

const world = 'svc-certify';
const mostRequests = 2_000;

/** Watches a tab from before its first document, with all frames in it. `main` is the session of the page. */
export async function watchTab(
  connection: BrowserConnection,
  { main, serviceOrigin }: { readonly main: string; readonly serviceOrigin: string },
): Promise<WatchedTab> {
  const { frameTree } = await connection.send('Page.getFrameTree', {}, main);
  const mainFrame: string = frameTree.frame.id;
  const documents = watchDocuments(connection, serviceOrigin);
  const network = watchRequests(connection, mainFrame);
  const interception = interceptRequests(connection);
  const handlers: Handlers = {
    ...documents.handlers,
    ...network.handlers,
    ...interception.handlers,
    // An alert() would stop the page for good.
    'Page.javascriptDialogOpening'(_, sessionId) {
      connection.send('Page.handleJavaScriptDialog', { accept: true }, sessionId).catch(ignoreGone);
    },
  };
  const sessions = new Set<string>([main]);
  const stopListening = connection.listen(({ method, params, sessionId }) => {
    // Targets that attach to the main session report to it; frames inside of frames to their parent.
    if (sessionId === undefined || !sessions.has(sessionId)) return;
    if (method === 'Target.attachedToTarget') sessions.add(params.sessionId);
    if (method === 'Target.detachedFromTarget') sessions.delete(params.sessionId);
    handlers[method]?.(params, sessionId);
  });
  await prepare(connection, main, serviceOrigin);
  return {
    requests: () => [...network.requests.values()],
    exceptions: documents.exceptions,
    intercept: interception.set,
    contextAt: (place) =>
      place === 'page'
        ? documents.contexts.findLast((it) => it.frameId === mainFrame)
        : documents.contexts.findLast(
            (it) => it.frameId !== mainFrame && it.origin === serviceOrigin,
          ),
    stop() {
      stopListening();
      interception.stop();
    },
  };
}

/** Prepares a session before its documents load; the frame of another site has its own session. */
async function prepare(
  connection: BrowserConnection,
  sessionId: string,
  serviceOrigin: string,
): Promise<void> {
  const send = (method: string, params?: object) => connection.send(method, params, sessionId);
  await Promise.all([
    send('Page.enable'),
    send('Runtime.enable'),
    send('Network.enable', { maxPostDataSize: 65_536 }),
    send('Network.setCacheDisabled', { cacheDisabled: true }),
    send('Network.setBypassServiceWorker', { bypass: true }).catch(() => {}),
    send('Page.addScriptToEvaluateOnNewDocument', {
      source: probeSource,
      worldName: world,
    }),
    send('Fetch.enable', { patterns: [{ urlPattern: `${serviceOrigin}/*` }] }),
    send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
    }),
  ]);
}

function watchDocuments(connection: BrowserConnection, serviceOrigin: string) {
  const contexts: FrameContext[] = [];
  const exceptions: string[] = [];
  function removeContexts(isGone: (context: FrameContext) => boolean): void {
    for (let at = contexts.length - 1; at >= 0; at -= 1) {
      if (isGone(contexts[at] as FrameContext)) contexts.splice(at, 1);
    }
  }

  const handlers: Handlers = {
    'Target.attachedToTarget'({ sessionId, targetInfo, waitingForDebugger }) {
      const prepared =
        targetInfo.type === 'iframe'
          ? prepare(connection, sessionId, serviceOrigin)
          : Promise.resolve();
      void prepared
        .then(
          () =>
            waitingForDebugger && connection.send('Runtime.runIfWaitingForDebugger', {}, sessionId),
        )
        // The frame was removed again.
        .catch(ignoreGone);
    },
    'Target.detachedFromTarget'({ sessionId }) {
      removeContexts((it) => it.sessionId === sessionId);
    },
    'Runtime.executionContextCreated'({ context }, sessionId) {
      if (context.name !== world) return;
      const { id: contextId, origin, auxData } = context;
      contexts.push({ sessionId, contextId, frameId: auxData.frameId, origin });
    },
    'Runtime.executionContextDestroyed'({ executionContextId }, sessionId) {
      removeContexts((it) => it.sessionId === sessionId && it.contextId === executionContextId);
    },
    'Runtime.executionContextsCleared'(_, sessionId) {
      removeContexts((it) => it.sessionId === sessionId);
    },
    'Runtime.exceptionThrown'({ exceptionDetails }) {
      const { exception, text } = exceptionDetails;
      const [line = ''] = String(exception?.description ?? text).split('\n');
      if (exceptions.length < 100) exceptions.push(line.slice(0, 300));
    },
  };
  return { contexts, exceptions, handlers };
}

function watchRequests(connection: BrowserConnection, mainFrame: string) {
  const requests = new Map<string, SeenRequest>();

  async function readBody(sessionId: string, requestId: string): Promise<string | null> {
    try {
      const { body, base64Encoded } = await connection.send(
        'Network.getResponseBody',
        { requestId },
        sessionId,
      );
      return base64Encoded ? Buffer.from(body, 'base64').toString('latin1') : body;
    } catch (error) {
      ignoreProtocolError(error);
      return null;
    }
  }

  const handlers: Handlers = {
    'Network.requestWillBeSent'({ requestId, request, type, frameId }, sessionId) {
      if (requests.size >= mostRequests) return;
      requests.set(`${sessionId} ${requestId}`, {
        url: request.url,
        method: request.method,
        body: request.postData ?? null,
        type: type ?? '',
        headers: Object.values(request.headers).join('\n'),
        isPageDocument: type === 'Document' && frameId === mainFrame,
        status: null,
        mimeType: '',
        error: null,
        readBody: () => readBody(sessionId, requestId),
      });
    },
    'Network.responseReceived'({ requestId, response }, sessionId) {
      const request = requests.get(`${sessionId} ${requestId}`);
      if (request) Object.assign(request, { status: response.status, mimeType: response.mimeType });
    },
    'Network.loadingFailed'({ requestId, errorText, blockedReason }, sessionId) {
      const request = requests.get(`${sessionId} ${requestId}`);
      if (request) request.error = blockedReason ? `blocked: ${blockedReason}` : errorText;
    },
  };
  return { requests, handlers };
}

function interceptRequests(connection: BrowserConnection) {
  let interceptor: Interceptor | null = null;
  const timers = new Set<NodeJS.Timeout>();
  const handlers: Handlers = {
    'Fetch.requestPaused'({ requestId, request }, sessionId) {
      const { url, method, postData = '' } = request;
      const action = interceptor?.({ url, method, body: postData }) ?? {
        kind: 'continue' as const,
      };
      const reply = (command: string, params: object = {}) =>
        // The page may have given the request up.
        connection.send(command, { requestId, ...params }, sessionId).catch(ignoreGone);
      if (action.kind === 'abort')
        void reply('Fetch.failRequest', { errorReason: 'ConnectionRefused' });
      else if (action.kind === 'answer') {
        void reply('Fetch.fulfillRequest', {
          responseCode: action.status,
          responseHeaders: [{ name: 'content-type', value: 'application/json' }],
          body: Buffer.from(JSON.stringify(action.body)).toString('base64'),
        });
      } else if (action.delayMs === undefined) void reply('Fetch.continueRequest');
      else {
        const timer = setTimeout(() => {
          timers.delete(timer);
          void reply('Fetch.continueRequest');
        }, action.delayMs);
        timers.add(timer);
      }
    },
  };
  return {
    handlers,
    set(next: Interceptor | null) {
      interceptor = next;
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
