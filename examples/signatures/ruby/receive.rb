require "sinatra"
require "standardwebhooks"

WEBHOOK = StandardWebhooks::Webhook.new(ENV.fetch("SVC_WEBHOOK_SECRET"))

post "/webhooks/svc" do
  headers = %w[id timestamp signature].to_h do |name|
    ["webhook-#{name}", env["HTTP_WEBHOOK_#{name.upcase}"]]
  end
  begin
    event = WEBHOOK.verify(request.body.read, headers)
  rescue StandardWebhooks::WebhookVerificationError => error
    halt 400, error.message # The console shows it.
  end
  puts "#{event["id"]} #{event["type"]}" # Retries keep the id: skip ids you have processed.
  status 204 # Respond within 15 seconds; queue longer work.
end
