import './styles/app.css';
import { render } from 'preact';
import { createExperienceApi } from './api/experience-api.ts';
import { App } from './app.tsx';
import { type Flow, FlowContext } from './flow/flow.ts';
import { receive } from './flow/session.ts';
import { createStore } from './flow/store.ts';
import { connect } from './frame/connect.ts';
import { readAllowedOrigins, readLender, readsSandbox } from './frame/page-settings.ts';
import { randomKey } from './frame/random-key.ts';
import { savedLanguage } from './saved/language.ts';
import { Unframed } from './screens/trouble.tsx';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no #app');

const isFramed = window.parent !== window;
const flow: Flow = {
  store: createStore({
    isSandbox: readsSandbox(document),
    lender: readLender(document),
    language: savedLanguage(),
  }),
  api: createExperienceApi(randomKey()),
  send: (message) => channel?.send(message),
  newKey: randomKey,
};
const channel = isFramed
  ? connect({
      self: window,
      allowedOrigins: readAllowedOrigins(document),
      nonce: randomKey(),
      onMessage: (message) => receive(flow, message),
    })
  : null;

// Inside a cross-origin frame the key never reaches the dialog around it.
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented) channel?.send({ svc: 1, type: 'escape' });
});

render(
  <FlowContext.Provider value={flow}>{isFramed ? <App /> : <Unframed />}</FlowContext.Provider>,
  root,
);
