import './styles/app.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { type Flow, FlowContext } from './flow/flow.ts';
import { enterAsOperator, receive, showLink } from './flow/session.ts';
import { createStore } from './flow/store.ts';
import { prepareFormats } from './format/prepare-formats.ts';
import { followKeyboard } from './frame/follow-keyboard.ts';
import { keepFocus } from './frame/keep-focus.ts';
import { writeTextThroughElements } from './frame/write-text-through-elements.ts';
import { loadTheRest } from './load-the-rest.ts';
import { savedLanguage } from './saved/language.ts';
import { languageOf } from './words/use-words.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no #app');

// boot.ts has connected to the SDK and may have requested the session.
const { api, channel, link, listen, page, newKey } = window.boot;
const flow: Flow = {
  store: createStore({ ...page, isStandalone: channel === null, language: savedLanguage() }),
  api,
  send: (message) => channel?.send(message),
  newKey,
};

// Key events inside a cross-origin frame do not reach the SDK's dialog around it.
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented) channel?.send({ svc: 1, type: 'escape' });
});

const pms = location.pathname.split('/').at(-1) ?? '';
if (link?.startsWith('svc_es_')) {
  // This is the operator's console, or a page that was reloaded.
  if (history.state === null) void enterAsOperator(flow, link, pms);
  else void import('./flow/hosted.ts').then(({ resumeSession }) => resumeSession(flow, link, pms));
} else if (link?.startsWith('svc_hm_')) {
  void import('./flow/hosted.ts').then(({ showMessageLink }) => showMessageLink(flow, link, pms));
} else if (link !== null) showLink(flow, link, pms);
loadTheRest(flow);
keepFocus(root);
followKeyboard();
writeTextThroughElements();
render(
  <FlowContext.Provider value={flow}>
    <App isUnframed={channel === null && link === null} />
  </FlowContext.Provider>,
  root,
);
listen((message) => receive(flow, message));
setTimeout(() => prepareFormats(languageOf(savedLanguage() ?? navigator.language).locale));
