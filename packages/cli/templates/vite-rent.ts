import { Environment, Svc } from '@svc/core';

const response = await fetch('/api/svc/settings');
if (!response.ok) throw new Error(`The settings request failed with ${response.status}.`);
const svc = Svc({
  ...(await response.json()),
  environment: Environment.Sandbox,
  onEvent: (type: string, data: unknown) => console.log(type, data),
  async onWidgetClickCallback() {
    const answer = await fetch('/api/svc/token', { method: 'POST' });
    if (!answer.ok) throw new Error(`The token request failed with ${answer.status}.`);
    const { token } = await answer.json();
    await svc.openExperienceAndSetToken(token);
  },
});
document.getElementById('rent')?.append(svc.createWidget());
