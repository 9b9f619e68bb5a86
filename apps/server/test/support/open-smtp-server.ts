import { type AddressInfo, createServer } from 'node:net';

/** An SMTP server that accepts every mail, except that `answers.recipient` may refuse its recipient. */
export async function openSmtpServer() {
  /** The lines that it received. */
  const commands: string[] = [];
  const answers = { recipient: '250 ok' };
  const server = createServer((socket) => {
    let inBody = false;
    socket.on('error', () => {});
    socket.write('220 test\r\n');
    socket.on('data', (bytes) => {
      for (const line of bytes.toString('utf8').split('\r\n')) {
        if (line === '') continue;
        commands.push(line);
        if (inBody) {
          if (line !== '.') continue;
          inBody = false;
          socket.write('250 ok\r\n');
        } else if (line === 'DATA') {
          inBody = true;
          socket.write('354 go on\r\n');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write(line.startsWith('RCPT') ? `${answers.recipient}\r\n` : '250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    commands,
    answers,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
