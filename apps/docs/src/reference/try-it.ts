/**
 * Makes the reference interactive: filters the list of operations, and sends requests to the sandbox
 * that serves the page. The key is kept in memory only, so it is gone when the page is left.
 */
export function startReference(): void {
  startFilter();
  startTrying();
}

function startFilter(): void {
  const label = document.querySelector<HTMLElement>('.overview-filter');
  const input = label?.querySelector('input');
  const status = document.querySelector<HTMLElement>('.overview-count');
  if (!label || !input || !status) return;
  label.hidden = false;
  const items = [...document.querySelectorAll<HTMLElement>('.overview [data-find]')];
  const groups = [...document.querySelectorAll<HTMLElement>('.overview-group')];
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) {
      item.hidden = !words.every((word) => item.dataset.find?.includes(word));
    }
    for (const group of groups) group.hidden = !group.querySelector('[data-find]:not([hidden])');
    const count = items.filter((item) => !item.hidden).length;
    status.hidden = words.length === 0;
    status.textContent = count === 1 ? '1 operation' : `${count} operations`;
  });
  // A link of the page leads to its operation; the filter must not hide what the reader comes back to.
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    const first = items.find((item) => !item.hidden)?.querySelector('a');
    if (first) location.hash = first.hash;
  });
}

/** The API key that the reader has entered last. */
let lastKey = '';

function startTrying(): void {
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details.try')) {
    const form = details.querySelector('form');
    const result = details.querySelector<HTMLElement>('.try-result');
    if (!form || !result) continue;
    details.hidden = false;
    details.addEventListener('toggle', () => {
      if (details.open) addKeyField(form);
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form, result);
    });
  }
}

/** Adds the field for the key when the form is opened, so that password managers do not see dozens of fields. */
function addKeyField(form: HTMLFormElement): void {
  let input = form.querySelector<HTMLInputElement>('input[name="api-key"]');
  if (!input) {
    const label = document.createElement('label');
    label.append('Sandbox API key');
    input = document.createElement('input');
    input.name = 'api-key';
    input.type = 'password';
    input.autocomplete = 'off';
    input.spellcheck = false;
    input.placeholder = 'svc_sandbox_…';
    input.required = true;
    label.append(input);
    form.prepend(label);
  }
  if (input.value === '') input.value = lastKey || readersKey();
}

/** Returns the key that the docs of a local sandbox show in their samples, or ''. */
function readersKey(): string {
  const shown = document.querySelector('[data-fill="key"]')?.textContent ?? '';
  return /^svc_sandbox_\w+/.test(shown) ? shown : '';
}

async function send(form: HTMLFormElement, result: HTMLElement): Promise<void> {
  const fields = new FormData(form);
  const apiKey = String(fields.get('api-key') ?? '').trim();
  if (!apiKey.startsWith('svc_sandbox_')) {
    showResult(
      result,
      'Not sent',
      'This page takes sandbox keys only. They begin with svc_sandbox_.',
    );
    return;
  }
  lastKey = apiKey;
  const body = fields.get('body');
  if (typeof body === 'string' && !isJson(body)) {
    showResult(result, 'Not sent', 'The body is not valid JSON.');
    return;
  }
  const { method = 'GET' } = form.dataset;
  const button = form.querySelector('button');
  if (button) button.disabled = true;
  const startedAt = performance.now();
  try {
    const response = await fetch(addressOf(form), {
      method,
      credentials: 'omit',
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      ...(typeof body === 'string' ? { body } : {}),
    });
    const text = await response.text();
    const ms = Math.round(performance.now() - startedAt);
    const id = response.headers.get('x-request-id');
    showResult(result, `${response.status} in ${ms} ms${id ? ` · ${id}` : ''}`, formatted(text));
  } catch {
    showResult(
      result,
      'No answer',
      'The service did not answer. Open these docs from a running sandbox.',
    );
  } finally {
    if (button) button.disabled = false;
  }
}

function addressOf(form: HTMLFormElement): string {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[data-in]')];
  const value = (name: string) => inputs.find((it) => it.name === name)?.value ?? '';
  const path = (form.dataset.path ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(value(name)),
  );
  const query = new URLSearchParams(
    inputs
      .filter((it) => it.dataset.in === 'query' && it.value !== '')
      .map((it) => [it.name, it.value]),
  ).toString();
  return `/v1${path}${query === '' ? '' : `?${query}`}`;
}

function showResult(result: HTMLElement, title: string, text: string): void {
  const heading = document.createElement('p');
  heading.className = 'try-status';
  heading.textContent = title;
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  const code = document.createElement('code');
  code.textContent = text;
  pre.append(code);
  result.replaceChildren(heading, pre);
}

function formatted(text: string): string {
  return isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
