#region verify
require "standardwebhooks"

# The event, or nil if we did not send it. `raw` is `request.body.read`, before any parsing.
def read_event(raw, env, secret)
  headers = %w[id timestamp signature].to_h do |name|
    ["webhook-#{name}", env["HTTP_WEBHOOK_#{name.upcase}"]]
  end
  StandardWebhooks::Webhook.new(secret).verify(raw, headers)
rescue StandardWebhooks::WebhookVerificationError
  nil
end
#endregion
