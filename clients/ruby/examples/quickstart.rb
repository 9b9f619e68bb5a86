require 'date'
require 'svc'

api_key = ENV.fetch('SVC_API_KEY')
client = Svc::Client.new(api_key: api_key, base_url: ENV.fetch('SVC_BASE_URL'))

# 1. Sign the widget.
puts "signature #{Svc.sign_widget(api_key, 'my-portal', 't-100')}"

# 2. When the tenant clicks, get a tenant token.
charge = SvcApi::ChargeInput.new(id: 'C-1', due_date: Date.today + 14, amount_in_cents: 152_012)
tenant = SvcApi::PortalInfoInput.new(
  first_name: 'Ada', last_name: 'Lane', email: 'ada@example.com', charges: [charge]
)
token = client.tenants.create_tenant_token('t-100', tenant).data.token
puts "token #{!token.nil?}"

# 3. List: pages are fetched as needed.
tenants = Svc.pages { |cursor| client.tenants.list_tenants({ limit: 2, cursor: cursor }.compact) }
puts "tenants #{tenants.count}"

# 4. An error has a stable code.
begin
  client.plans_and_settlements.get_plan('pln_none')
rescue Svc::Error => e
  puts "error #{e.status} #{e.code}"
end

# 5. When a webhook arrives, verify it.
def receive(body, headers)
  event = Svc.verify_webhook(body, headers, ENV.fetch('SVC_WEBHOOK_SECRET'))
  puts "webhook #{event.external_id} #{event.data.changed.join(',')}" if event.type == 'tenant.updated'
end

headers = %w[webhook-id webhook-timestamp webhook-signature].to_h do |name|
  [name, ENV.fetch(name.upcase.tr('-', '_'))]
end
receive(File.binread(ENV.fetch('WEBHOOK_BODY_FILE')), headers)
