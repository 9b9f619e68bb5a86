import { type ClientLanguage, clientLanguages, generateClients } from './generate-clients.ts';

// `npm run clients [language …]`: writes the clients for other languages to dist/clients. Needs Java 17,
// and Maven unless SVC_OPENAPI_GENERATOR names the generator's jar.
const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !clientLanguages.includes(name as ClientLanguage));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Languages: ${clientLanguages.join(', ')}.`);
  process.exitCode = 1;
} else {
  await generateClients(requested.length > 0 ? (requested as ClientLanguage[]) : clientLanguages);
}
