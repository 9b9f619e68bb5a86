# #region routes
require "json"
require "net/http"
require "sinatra/base"
require_relative "signatures"

class SvcRoutes < Sinatra::Base
  API = "http://localhost:4000/v1"
  KEY, PMS = ENV.fetch("SVC_API_KEY"), ENV.fetch("SVC_PMS")
  SECRET = ENV.fetch("SVC_WEBHOOK_SECRET")

  # The portal of app.rb.
  def portal = settings.portal

  get "/api/svc/settings" do
    tenant = portal.current_tenant(request)
    signature = sign_widget(KEY, PMS, tenant[:id])
    { pms: PMS, externalId: tenant[:id], balance: tenant[:balance], signature: signature,
      environment: "sandbox", baseUrl: API }.to_json
  end

  post "/api/svc/token" do
    tenant = portal.current_tenant(request)
    known = { **tenant[:profile], charges: tenant[:open_charges] }
    { token: call_svc("POST", "/tenant/portal_info/#{tenant[:id]}", known)["token"] }.to_json
  end

  post "/api/svc/webhooks" do
    raw = request.body.read
    id, timestamp, signature = %w[ID TIMESTAMP SIGNATURE].map { |name| env["HTTP_WEBHOOK_#{name}"] }
    halt 400, "wrong signature" unless verify(raw, id, timestamp, signature, SECRET, Time.now)
    event = JSON.parse(raw)
    is_real = !event["test"] && !event["custom"] && portal.knows_tenant?(event["external_id"])
    is_settlement = event["type"] == "settlement.created"
    if is_real && is_settlement && !portal.handled?(event["id"])
      data = event["data"]
      transaction_id, arrived = portal.debit(data["settlement_id"], data["amount_in_cents"])
      # "unverified" means sent; report "verified" when the money arrives.
      report = { status: arrived ? "verified" : "unverified", processor_transaction_id: transaction_id }
      call_svc("PATCH", "/settlements/#{data["settlement_id"]}", report)
      portal.credit(event["external_id"], data["charges_and_amounts_paid"], event["id"])
    end
    status 204
  end

  def call_svc(method, path, body)
    uri = URI("#{API}#{path}")
    headers = { "Authorization" => "Bearer #{KEY}", "Content-Type" => "application/json" }
    answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") do |http|
      http.send_request(method, uri.path, body.to_json, headers)
    end
    raise "#{method} #{path}: #{answer.body}" unless answer.is_a?(Net::HTTPSuccess)
    JSON.parse(answer.body)["data"]
  end
end
# #endregion
