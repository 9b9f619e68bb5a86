require "json"
require "sinatra"
require_relative "signatures"

SECRET = ENV.fetch("SVC_WEBHOOK_SECRET")

post "/webhooks/svc" do
  request.body.rewind
  raw = request.body.read # Do not parse it: the signature covers the raw bytes.
  id, timestamp, signature = %w[ID TIMESTAMP SIGNATURE].map { |name| env["HTTP_WEBHOOK_#{name}"] }
  halt 400 unless verify(raw, id, timestamp, signature, SECRET, Time.now)
  event = JSON.parse(raw)
  puts "#{id} #{event["type"]}" # Retries keep the id: skip ids you have processed.
  status 204 # Respond within 15 seconds; queue longer work.
end
