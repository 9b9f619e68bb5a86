/** The API calls that the service advises, as patterns, with the command that makes each call. */
const commands = [
  [/(call )?POST (?:\/v1)?\/simulation\/([^\s/]+)\/reset\b/gi, 'svc tenant reset'],
  [/(call )?GET (?:\/v1)?\/tenants\/([^\s/.,]+)/gi, 'svc tenant show'],
] as const;

/** Replaces the API calls that the service advises by the commands that make them. */
export function speakCommands(text: string): string {
  return commands.reduce(
    (spoken, [call, command]) =>
      spoken.replace(call, (_, verb: string | undefined, id: string) => {
        const run = verb === undefined ? '' : verb.startsWith('C') ? 'Run ' : 'run ';
        return `${run}"${command} ${argumentOf(id)}"`;
      }),
    text,
  );
}

/** Quotes the id in a path as an argument that a shell leaves alone. */
function argumentOf(encoded: string): string {
  const id = decoded(encoded);
  return /^[\w.:@-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`;
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
