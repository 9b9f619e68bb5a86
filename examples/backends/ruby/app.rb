# #region app
require "date"
require "json"
require "net/http"
require "openssl"
require "sinatra"
require "standardwebhooks"

API = "http://localhost:4000/v1"
KEY, PMS = ENV.fetch("SVC_API_KEY"), ENV.fetch("SVC_PMS")
WEBHOOK = StandardWebhooks::Webhook.new(ENV.fetch("SVC_WEBHOOK_SECRET"))
TENANT = { id: "t-100", balance: 152_012 } # cents; replace with your signed-in tenant
# #endregion

# #region signature
get "/api/svc/settings" do
  signature = OpenSSL::HMAC.hexdigest("SHA256", KEY, "#{PMS}+#{TENANT[:id]}")
  { pms: PMS, externalId: TENANT[:id], balance: TENANT[:balance], signature: signature,
    environment: "sandbox", baseUrl: API }.to_json
end
# #endregion

# #region token
post "/api/svc/token" do
  charge = { id: "C-1", due_date: Date.today.iso8601, amount_in_cents: TENANT[:balance] }
  known = { first_name: "Ada", last_name: "Lane", email: "ada@example.com", charges: [charge] }
  answer = Net::HTTP.post(
    URI("#{API}/tenant/portal_info/#{TENANT[:id]}"),
    known.to_json,
    "Authorization" => "Bearer #{KEY}",
    "Content-Type" => "application/json",
  )
  halt 502 unless answer.is_a?(Net::HTTPSuccess)
  { token: JSON.parse(answer.body).dig("data", "token") }.to_json
end
# #endregion

# #region webhook
post "/api/svc/webhooks" do
  headers = %w[id timestamp signature].to_h do |name|
    ["webhook-#{name}", env["HTTP_WEBHOOK_#{name.upcase}"]]
  end
  begin
    event = WEBHOOK.verify(request.body.read, headers)
  rescue StandardWebhooks::WebhookVerificationError => error
    halt 400, error.message
  end
  if event["type"] == "settlement.created" && !event["test"] && !event["custom"]
    puts event["data"]["settlement_id"] # debit it; skip an event["id"] that you have stored
  end
  status 204
end
# #endregion
