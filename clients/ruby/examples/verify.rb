# Verifies messages from the standard input, one a line: keys, id, timestamp, signature and body in base64.
require 'svc'

$stdin.each_line(chomp: true) do |line|
  keys, id, timestamp, signature, body = line.split("\t")
  headers = { 'Webhook-Id' => id, 'Webhook-Timestamp' => timestamp, 'Webhook-Signature' => signature }
  event = Svc.verify_webhook(body.unpack1('m0'), headers, keys.split)
  puts "verified #{event.type} #{event.external_id}"
rescue Svc::WebhookVerificationError => e
  puts "refused #{e.message}"
rescue ArgumentError => e
  puts "misconfigured #{e.message}"
end
