# #region app
require "date"
require "sinatra"
require_relative "svc_routes"

# Your app: its sessions, its ledger, and its processor.
class Portal
  def initialize
    @lock = Mutex.new
    @handled_ids = {} # a table of yours, so that it survives a restart
    @tenant = {
      id: "t-100",
      balance: 152_012, # cents
      profile: { first_name: "Ada", last_name: "Lane", email: "ada@example.com" },
      # The day in the home's time zone, as your ledger has it.
      open_charges: [{ id: "C-1", due_date: Date.today.iso8601, amount_in_cents: 152_012 }],
    }
  end

  def current_tenant(request) = @tenant # from your session and your ledger

  # In the sandbox, also the tenants of `svc certify`.
  def knows_tenant?(external_id)
    external_id == @tenant[:id] || external_id.to_s.start_with?("certify-")
  end

  def handled?(event_id) = @handled_ids.key?(event_id)

  def debit(settlement_id, amount_in_cents)
    puts "Debit #{amount_in_cents} for #{settlement_id}" # your processor
    ["tr_#{settlement_id}", true] # true: the money has arrived
  end

  # Credits the charges, and remembers the event, in one transaction of yours.
  def credit(external_id, charges, event_id)
    @lock.synchronize do
      charges.each do |charge|
        next unless external_id == @tenant[:id]
        @tenant[:balance] -= charge["amount_in_cents"]
        @tenant[:open_charges] = @tenant[:open_charges].reject { |it| it[:id] == charge["charge_id"] }
      end
      @handled_ids[event_id] = true
    end
  end
end

set :public_folder, "public" # your pages
SvcRoutes.set :portal, Portal.new
use SvcRoutes
# #endregion
