import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { useService } from '../harness.ts';

// The official Svix clients for Python and Go, against /svix. Each program runs twice: "send" makes
// an endpoint and a message that fails, and "recover" reads the attempt and sends it again. In
// between, the test waits until the engine has delivered.

const minutes = 60_000;
const run = promisify(execFile);
const svc = await useService();
const folder = mkdtempSync(join(tmpdir(), 'svc-svix-languages-'));
let status = 500;
const received: string[] = [];
const receiver = createServer((request, response) => {
  received.push(String(request.headers['svix-id']));
  request.resume().on('end', () => response.writeHead(status).end('seen'));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program; the test is skipped if it is not there, or cannot fetch what it needs. */
async function setUp(context: TestContext, name: string, command: string, args: string[]) {
  try {
    await run(command, args, { cwd: folder, timeout: 8 * minutes });
  } catch (error) {
    context.skip(`${name} could not be installed: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** Runs the program's two steps, and checks their output and the message that they delivered. */
async function play(program: string, args: readonly string[]): Promise<void> {
  const { key, pms } = await svc.newPartner();
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const env = { ...process.env, SVIX_KEY: key, SVIX_APP: pms, SVIX_URL: `${svc.url}/svix` };
  const step = async (...more: string[]) =>
    (await run(program, [...args, ...more], { cwd: folder, env })).stdout.trim().split('\n');
  received.length = 0;
  status = 500;
  const [message = '', ...sent] = await step('send', url);
  expect(sent).toEqual([
    `app_${pms}`,
    'uid ledger, types plan.created, secret rotated',
    'the same event id: 409 conflict',
    'an unknown event type: 403 forbidden',
    'no endpoint: 404 not_found',
  ]);
  await svc.engine.idle();
  status = 204;
  const since = new Date(svc.clock.now().getTime() - 60 * minutes).toISOString();
  expect(await step('recover', message, since)).toEqual([
    'attempt: status 2, answer 500',
    'payload 5',
    'endpoint.recover',
    'portal',
  ]);
  await svc.engine.idle();
  // Once at first, once for the resend; the recovery finds nothing that still fails, or sends it too.
  expect(new Set(received)).toEqual(new Set([message]));
  expect(received.length).toBeGreaterThanOrEqual(2);
}

test('the svix client for Python manages endpoints, sends, reads and recovers', {
  timeout: 10 * minutes,
}, async (context) => {
  const python = join(folder, 'python/bin/python');
  await setUp(context, 'Python', 'python3', ['-m', 'venv', join(folder, 'python')]);
  await setUp(context, 'svix for Python', python, ['-m', 'pip', 'install', '-q', 'svix==2.9.1']);
  writeFileSync(join(folder, 'play.py'), pythonProgram);
  await play(python, ['play.py']);
});

const pythonProgram = `
import os, sys
from datetime import datetime
from svix.api import (
    ApplicationIn, AppPortalAccessIn, EndpointHeadersIn, EndpointIn, EventTypeIn, MessageIn, RecoverIn, Svix,
    SvixOptions, EndpointSecretRotateIn,
)
from svix.exceptions import HttpError

app = os.environ["SVIX_APP"]
svix = Svix(os.environ["SVIX_KEY"], SvixOptions(server_url=os.environ["SVIX_URL"]))


def refusal(call):
    try:
        call()
    except HttpError as error:
        return f"{error.status_code} {error.code}"


if sys.argv[1] == "send":
    application = svix.application.get_or_create(ApplicationIn(name="Ours", uid=app))
    made = svix.endpoint.create(app, EndpointIn(url=sys.argv[2], uid="ledger", event_types=["plan.created"]))
    svix.endpoint.set_headers(app, "ledger", EndpointHeadersIn(headers={"x-team": "ledger"}))
    assert svix.endpoint.get_headers(app, "ledger").sensitive == ["x-team"]
    before = svix.endpoint.get_secret(app, "ledger").key
    svix.endpoint.rotate_secret(app, "ledger", EndpointSecretRotateIn())
    rotated = svix.endpoint.get_secret(app, "ledger").key != before
    event = MessageIn(event_type="plan.created", event_id="order:1", payload={"amount": 5})
    sent = svix.message.create(app, event)
    print(sent.id)
    print(application.id)
    listed = svix.endpoint.list(app).data[0]
    print(f"uid {listed.uid}, types {','.join(listed.event_types)}, secret {'rotated' if rotated else 'kept'}")
    print("the same event id:", refusal(lambda: svix.message.create(app, event)))
    print("an unknown event type:", refusal(lambda: svix.event_type.create(EventTypeIn(name="a.b", description=""))))
    print("no endpoint:", refusal(lambda: svix.endpoint.get(app, "ep_none")))
else:
    message = sys.argv[2]
    attempt = svix.message_attempt.list_by_msg(app, message).data[0]
    print(f"attempt: status {attempt.status}, answer {attempt.response_status_code}")
    print("payload", svix.message.get(app, message).payload["amount"])
    svix.message_attempt.resend(app, message, attempt.endpoint_id)
    since = datetime.fromisoformat(sys.argv[3].replace("Z", "+00:00"))
    print(svix.endpoint.recover(app, "ledger", RecoverIn(since=since)).task)
    print("portal" if "/portal#" in svix.authentication.app_portal_access(app, AppPortalAccessIn()).url else "none")
`;

test('the svix client for Go manages endpoints, sends, reads and recovers', {
  timeout: 10 * minutes,
}, async (context) => {
  const cwd = join(folder, 'go');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'go.mod'), 'module use\n\ngo 1.21\n');
  writeFileSync(join(cwd, 'main.go'), goProgram);
  const get = ['-C', cwd, 'go', 'get', 'github.com/svix/svix-webhooks@v1.99.1'];
  await setUp(context, 'svix for Go', 'env', get);
  await setUp(context, 'the dependencies of svix for Go', 'env', ['-C', cwd, 'go', 'mod', 'tidy']);
  const program = join(cwd, 'play');
  await run('go', ['build', '-o', program, '.'], { cwd });
  await play(program, []);
});

const goProgram = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	svix "github.com/svix/svix-webhooks/go"
	"github.com/svix/svix-webhooks/go/models"
)

func check(err error) {
	if err != nil {
		var refused svix.Error
		if errors.As(err, &refused) {
			panic(string(refused.Body()))
		}
		panic(err)
	}
}

func refusal(err error) string {
	var refused *svix.Error
	if !errors.As(err, &refused) {
		return fmt.Sprintf("%T %v", err, err)
	}
	var body struct{ Code string }
	check(json.Unmarshal(refused.Body(), &body))
	return fmt.Sprint(refused.Status(), " ", body.Code)
}

func main() {
	app, ctx, uid, order := os.Getenv("SVIX_APP"), context.Background(), "ledger", "order:1"
	server, err := url.Parse(os.Getenv("SVIX_URL"))
	check(err)
	client, err := svix.New(os.Getenv("SVIX_KEY"), &svix.SvixOptions{ServerUrl: server})
	check(err)
	if os.Args[1] == "send" {
		application, err := client.Application.GetOrCreate(ctx, models.ApplicationIn{Name: "Ours", Uid: &app}, nil)
		check(err)
		endpoint := models.EndpointIn{Url: os.Args[2], Uid: &uid, FilterTypes: []string{"plan.created"}}
		_, err = client.Endpoint.Create(ctx, app, endpoint, nil)
		check(err)
		headers := models.EndpointHeadersIn{Headers: map[string]string{"x-team": "ledger"}}
		check(client.Endpoint.UpdateHeaders(ctx, app, uid, headers))
		before, err := client.Endpoint.GetSecret(ctx, app, uid)
		check(err)
		check(client.Endpoint.RotateSecret(ctx, app, uid, models.EndpointSecretRotateIn{}, nil))
		after, err := client.Endpoint.GetSecret(ctx, app, uid)
		check(err)
		event := models.MessageIn{EventType: "plan.created", EventId: &order, Payload: map[string]any{"amount": 5}}
		sent, err := client.Message.Create(ctx, app, event, nil)
		check(err)
		fmt.Println(sent.Id)
		fmt.Println(application.Id)
		list, err := client.Endpoint.List(ctx, app, nil)
		check(err)
		secret := "kept"
		if before.Key != after.Key {
			secret = "rotated"
		}
		listed := list.Data[0]
		fmt.Printf("uid %s, types %s, secret %s\\n", *listed.Uid, strings.Join(listed.FilterTypes, ","), secret)
		_, err = client.Message.Create(ctx, app, event, nil)
		fmt.Println("the same event id:", refusal(err))
		_, err = client.EventType.Create(ctx, models.EventTypeIn{Name: "a.b", Description: ""}, nil)
		fmt.Println("an unknown event type:", refusal(err))
		_, err = client.Endpoint.Get(ctx, app, "ep_none")
		fmt.Println("no endpoint:", refusal(err))
		return
	}
	message := os.Args[2]
	attempts, err := client.MessageAttempt.ListByMsg(ctx, app, message, nil)
	check(err)
	attempt := attempts.Data[0]
	fmt.Printf("attempt: status %d, answer %d\\n", attempt.Status, attempt.ResponseStatusCode)
	read, err := client.Message.Get(ctx, app, message, nil)
	check(err)
	fmt.Println("payload", read.Payload["amount"])
	_, err = client.MessageAttempt.Resend(ctx, app, message, attempt.EndpointId, nil)
	check(err)
	since, err := time.Parse(time.RFC3339, os.Args[3])
	check(err)
	recovered, err := client.Endpoint.Recover(ctx, app, uid, models.RecoverIn{Since: since}, nil)
	check(err)
	fmt.Println(recovered.Task)
	portal, err := client.Authentication.AppPortalAccess(ctx, app, models.AppPortalAccessIn{}, nil)
	check(err)
	if strings.Contains(portal.Url, "/portal#") {
		fmt.Println("portal")
	}
}
`;
