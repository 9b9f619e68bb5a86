import './styles/app.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { type Flow, FlowContext } from './flow/flow.ts';
import { receive, showLink } from './flow/session.ts';
import { createStore } from './flow/store.ts';
import { loadTheRest } from './load-the-rest.ts';
import { savedLanguage } from './saved/language.ts';
import { Unframed } from './screens/trouble.tsx';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no #app');

// What boot.ts has left: the page is connected, and its session perhaps asked for.
const { api, channel, link, listen, page, newKey } = window.boot;
const flow: Flow = {
  store: createStore({ ...page, isOwn: channel === null, language: savedLanguage() }),
  api,
  send: (message) => channel?.send(message),
  newKey,
};

// Inside a cross-origin frame the key never reaches the dialog around it.
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented) channel?.send({ svc: 1, type: 'escape' });
});

if (link !== null) showLink(flow, link, location.pathname.split('/').at(-1) ?? '');
loadTheRest();
render(
  <FlowContext.Provider value={flow}>
    {channel === null && link === null ? <Unframed /> : <App />}
  </FlowContext.Provider>,
  root,
);
listen((message) => receive(flow, message));
