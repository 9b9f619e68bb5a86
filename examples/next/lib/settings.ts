export interface Settings {
  apiKey: string;
  pms: string;
  baseUrl: string;
  webhookSecret: string;
}

/** From the environment: see `.env.example`. The API key never reaches the browser. */
export function readSettings(): Settings {
  const { SVC_API_KEY, SVC_PMS, SVC_BASE_URL, SVC_WEBHOOK_SECRET } = process.env;
  if (!SVC_API_KEY || !SVC_PMS) throw new Error('Set SVC_API_KEY and SVC_PMS in .env.local.');
  return {
    apiKey: SVC_API_KEY,
    pms: SVC_PMS,
    baseUrl: SVC_BASE_URL ?? 'http://localhost:4000/v1',
    webhookSecret: SVC_WEBHOOK_SECRET ?? '',
  };
}
