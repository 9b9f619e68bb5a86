import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Moment, Order, Reply, Task } from './protocol.ts';

/** Starts a process that takes payments when ordered to. Resolves once the process is ready. */
export async function startPaymentsProcess(task: Task) {
  const file = fileURLToPath(new URL('./payments-process.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(task)], {
    execArgv: ['--conditions=source', '--import', 'tsx'],
  });
  const ended = once(child, 'exit');
  const died = ended.then(([code, signal]) => {
    throw new Error(`a process that takes payments ended with ${code ?? signal}`);
  });
  died.catch(() => {});
  const reply = async () => {
    const [message] = (await Promise.race([once(child, 'message'), died])) as [Reply];
    if (message.said === 'failed') throw new Error(message.error);
    return message;
  };
  await reply();
  return {
    arm(moment: Moment, nth: number): void {
      child.send({ do: 'arm', moment, nth } satisfies Order);
    },
    /** Sends an order and resolves to the reply. After the reply `reached`, the process has been killed. */
    async ask(order: Order): Promise<Reply> {
      child.send(order);
      const answer = await reply();
      if (answer.said === 'reached') {
        child.kill('SIGKILL');
        await ended;
      }
      return answer;
    },
    async stop(): Promise<void> {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}
