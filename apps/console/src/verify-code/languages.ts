import csharpReceiver from '../../../../examples/signatures/csharp/Receive.cs?raw';
import csharpReceiverByHand from '../../../../examples/signatures/csharp/ReceiveByHand.cs?raw';
import csharpSignatures from '../../../../examples/signatures/csharp/Signatures.cs?raw';
import goReceiver from '../../../../examples/signatures/go/receive/main.go?raw';
import goReceiverByHand from '../../../../examples/signatures/go/receive-by-hand/main.go?raw';
import goSignatures from '../../../../examples/signatures/go/signatures.go?raw';
import javaReceiver from '../../../../examples/signatures/java/Receive.java?raw';
import javaReceiverByHand from '../../../../examples/signatures/java/ReceiveByHand.java?raw';
import javaSignatures from '../../../../examples/signatures/java/Signatures.java?raw';
import nodeReceiver from '../../../../examples/signatures/node/receive.mjs?raw';
import nodeReceiverByHand from '../../../../examples/signatures/node/receive-by-hand.mjs?raw';
import nodeReceiverWithSvc from '../../../../examples/signatures/node/receive-with-svc.mjs?raw';
import nodeSignatures from '../../../../examples/signatures/node/signatures.mjs?raw';
import phpReceiver from '../../../../examples/signatures/php/receive.php?raw';
import phpReceiverByHand from '../../../../examples/signatures/php/receive_by_hand.php?raw';
import phpSignatures from '../../../../examples/signatures/php/signatures.php?raw';
import pythonReceiver from '../../../../examples/signatures/python/receive.py?raw';
import pythonReceiverByHand from '../../../../examples/signatures/python/receive_by_hand.py?raw';
import pythonSignatures from '../../../../examples/signatures/python/signatures.py?raw';
import rubyReceiver from '../../../../examples/signatures/ruby/receive.rb?raw';
import rubyReceiverByHand from '../../../../examples/signatures/ruby/receive_by_hand.rb?raw';
import rubySignatures from '../../../../examples/signatures/ruby/signatures.rb?raw';
import rustReceiver from '../../../../examples/signatures/rust/receive.rs?raw';

/** A file of `examples/signatures` to copy. Tests run it. */
interface Sample {
  file: string;
  /** The packages that the file needs in addition to the language. */
  needs: string;
  source: string;
}

/** One language's ways of receiving a webhook. */
export interface Language {
  name: string;
  /** Receivers that use a library, in order of preference. */
  libraries: readonly (Sample & { name: string; install: string })[];
  /** A receiver without a library and the functions that it calls. None if the language has no HMAC. */
  byHand: readonly Sample[];
}

export const languages: readonly Language[] = [
  {
    name: 'Node',
    libraries: [
      {
        name: 'Standard Webhooks',
        install: 'npm install standardwebhooks express',
        file: 'webhooks.mjs',
        needs: 'Express 5.',
        source: nodeReceiver,
      },
      {
        name: '@svc/node',
        install: 'npm install express',
        file: 'webhooks.mjs',
        needs:
          'Express 5, and @svc/node from /sdk of this service. Its errors explain what to check, and its events are typed.',
        source: nodeReceiverWithSvc,
      },
    ],
    byHand: [
      { file: 'webhooks.mjs', needs: 'Express 5.', source: nodeReceiverByHand },
      signatures('signatures.mjs', nodeSignatures),
    ],
  },
  {
    name: 'Python',
    libraries: [
      {
        name: 'Standard Webhooks',
        install: 'pip install standardwebhooks flask',
        file: 'webhooks.py',
        needs:
          'Flask. Svix 2 verifies too, but its verify() returns None: parse the body yourself then.',
        source: pythonReceiver,
      },
    ],
    byHand: [
      { file: 'webhooks.py', needs: 'Python 3.9 and Flask.', source: pythonReceiverByHand },
      signatures('signatures.py', pythonSignatures),
    ],
  },
  {
    name: 'Ruby',
    libraries: [
      {
        name: 'Standard Webhooks',
        install: 'bundle add standardwebhooks sinatra puma rackup',
        file: 'webhooks.rb',
        needs: 'Ruby 3.3 and Sinatra.',
        source: rubyReceiver,
      },
    ],
    byHand: [
      { file: 'webhooks.rb', needs: 'Ruby 2.7 and Sinatra.', source: rubyReceiverByHand },
      signatures('signatures.rb', rubySignatures),
    ],
  },
  {
    name: 'PHP',
    libraries: [
      {
        name: 'Standard Webhooks',
        install: 'composer require standard-webhooks/standard-webhooks',
        file: 'webhooks.php',
        needs: 'PHP 8.',
        source: phpReceiver,
      },
    ],
    byHand: [
      { file: 'webhooks.php', needs: 'PHP 8, no library.', source: phpReceiverByHand },
      signatures('signatures.php', phpSignatures),
    ],
  },
  {
    name: 'Go',
    libraries: [
      {
        name: 'Standard Webhooks',
        install: 'go get github.com/standard-webhooks/standard-webhooks/libraries',
        file: 'main.go',
        needs: 'Go 1.20.',
        source: goReceiver,
      },
    ],
    byHand: [
      { file: 'main.go', needs: 'Go 1.20, no library.', source: goReceiverByHand },
      signatures('signatures.go', goSignatures),
    ],
  },
  {
    name: 'Java',
    libraries: [
      {
        name: 'Standard Webhooks',
        install: 'com.standardwebhooks:standardwebhooks:1.1.0',
        file: 'Webhooks.java',
        needs:
          'Java 17 and Spring Web, with CSRF protection off for this path. The artifact serves Kotlin too.',
        source: javaReceiver,
      },
    ],
    byHand: [
      {
        file: 'Webhooks.java',
        needs: 'Java 17 and Spring Web, with CSRF protection off for this path.',
        source: javaReceiverByHand,
      },
      signatures('Signatures.java', javaSignatures),
    ],
  },
  {
    name: 'C#',
    libraries: [
      {
        name: 'Standard Webhooks',
        install: 'dotnet add package StandardWebhooks',
        file: 'Program.cs',
        needs: '.NET 8. The package is a community build of the reference library.',
        source: csharpReceiver,
      },
    ],
    byHand: [
      { file: 'Program.cs', needs: '.NET 8, no library.', source: csharpReceiverByHand },
      signatures('Signatures.cs', csharpSignatures),
    ],
  },
  {
    name: 'Rust',
    libraries: [
      {
        name: 'Standard Webhooks',
        install: 'cargo add standardwebhooks axum serde_json && cargo add tokio --features full',
        file: 'main.rs',
        needs: 'axum 0.8.',
        source: rustReceiver,
      },
    ],
    byHand: [],
  },
];

/** Returns the file that verifies webhooks without a library. The docs show its regions one by one. */
function signatures(file: string, source: string): Sample {
  const lines: string[] = [];
  for (const line of source.split('\n')) {
    if (line.includes('#endregion')) while (lines.at(-1) === '') lines.pop();
    else if (!line.includes('#region')) lines.push(line);
  }
  return { file, needs: 'Also signs the widget.', source: lines.join('\n') };
}

/** Replaces the sample's path, which is in a string literal in every language, with an endpoint's. */
export function withPath(source: string, path: string): string {
  const quoted = path
    .replaceAll('\\', '%5C')
    .replaceAll('"', '%22')
    .replaceAll("'", '%27')
    .replaceAll('?>', '%3F%3E');
  return source.replaceAll('/webhooks/svc', () => quoted);
}
