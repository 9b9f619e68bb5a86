// The page's own script. `Svc` is the global of the script tag before it.
const box = document.getElementById('rent');
const svc = globalThis.Svc({
  ...JSON.parse(box.dataset.settings),
  onEvent: (type, data) => console.log(type, data),
  async onWidgetClickCallback() {
    const { token } = await (await fetch('/api/svc/token', { method: 'POST' })).json();
    await svc.openExperienceAndSetToken(token);
  },
});
box.append(svc.createWidget());
