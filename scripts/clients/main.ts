import { type ClientLanguage, clientLanguages, generateClients } from './generate-clients.ts';

// `npm run clients [language …]`: writes the clients for other languages to dist/clients. Needs Java 17,
// and Maven unless SVC_OPENAPI_GENERATOR names the generator's jar.
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !clientLanguages.includes(name as ClientLanguage));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Languages: ${clientLanguages.join(', ')}.`);
  process.exitCode = 1;
} else {
  await generateClients(asked.length > 0 ? (asked as ClientLanguage[]) : clientLanguages);
}
