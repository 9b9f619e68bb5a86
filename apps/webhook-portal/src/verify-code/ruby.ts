import { type Language, quote } from './language.ts';

const verify = `def verify(raw, id, timestamp, signature, secret, now)
  return false unless id && signature && /\\A\\d+\\z/.match?(timestamp.to_s)
  return false if (now.to_i - timestamp.to_i).abs > 300
  key = secret.delete_prefix("whsec_").unpack1("m0")
  expected = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.".b + raw.b)
  # One entry for each secret that still signs; any that fits will do.
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
    halt 400, error.message # This portal shows it.
  end
  puts "#{event["id"]} #{event["type"]}" # The id is the same on every retry: skip those you have.
  status 204 # Within 15 seconds: leave long work to a queue.
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
  raw = request.body.read # Unparsed: what is signed are the raw bytes.
  id, timestamp, signature = %w[ID TIMESTAMP SIGNATURE].map { |name| env["HTTP_WEBHOOK_#{name}"] }
  halt 400 unless verify(raw, id, timestamp, signature, SECRET, Time.now)
  event = JSON.parse(raw)
  puts "#{id} #{event["type"]}" # The id is the same on every retry: skip those you have.
  status 204 # Within 15 seconds: leave long work to a queue.
end
`,
  },
};
