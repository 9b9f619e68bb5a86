import { type Language, quote } from './language.ts';

const verify = `def verify(raw, id, timestamp, signature, secret, now)
  return false unless id && signature && /\\A\\d+\\z/.match?(timestamp.to_s)
  return false if (now.to_i - timestamp.to_i).abs > 300
  key = secret.delete_prefix("whsec_").unpack1("m0")
  expected = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.".b + raw.b)
  # During a rotation there is one entry per active secret; one match is enough.
  signature.split(" ").any? do |entry|
    given = entry.start_with?("v1,") ? entry[3..].unpack1("m") : ""
    given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
  end
end`;

export const ruby: Language = {
  name: 'Ruby',
  libraries: [
    {
      name: 'Standard Webhooks',
      install: 'bundle add standardwebhooks sinatra puma rackup',
      file: 'webhooks.rb',
      needs: 'Ruby 3.3 and Sinatra.',
      code: (path) => `require "sinatra"
require "standardwebhooks"

WEBHOOK = StandardWebhooks::Webhook.new(ENV.fetch("SVC_WEBHOOK_SECRET"))

post ${quote(path)} do
  headers = %w[id timestamp signature].to_h do |name|
    ["webhook-#{name}", env["HTTP_WEBHOOK_#{name.upcase}"]]
  end
  begin
    event = WEBHOOK.verify(request.body.read, headers)
  rescue StandardWebhooks::WebhookVerificationError => error
    halt 400, error.message # Shown in this console.
  end
  puts "#{event["id"]} #{event["type"]}" # Retries keep the id: skip ids you have processed.
  status 204 # Respond within 15 seconds; queue longer work.
end
`,
    },
  ],
  manual: {
    file: 'webhooks.rb',
    needs: 'Ruby 2.7 and Sinatra.',
    verify,
    code: (path) => `require "json"
require "openssl"
require "sinatra"

SECRET = ENV.fetch("SVC_WEBHOOK_SECRET")

${verify}

post ${quote(path)} do
  request.body.rewind
  raw = request.body.read # Do not parse it: the signature covers the raw bytes.
  id, timestamp, signature = %w[ID TIMESTAMP SIGNATURE].map { |name| env["HTTP_WEBHOOK_#{name}"] }
  halt 400 unless verify(raw, id, timestamp, signature, SECRET, Time.now)
  event = JSON.parse(raw)
  puts "#{id} #{event["type"]}" # Retries keep the id: skip ids you have processed.
  status 204 # Respond within 15 seconds; queue longer work.
end
`,
  },
};
