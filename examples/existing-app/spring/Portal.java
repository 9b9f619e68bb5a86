// #region portal
package portal;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Your app: its sessions, its ledger, and its processor. */
@Component
class Portal {
  record Charge(String id, String due_date, long amount_in_cents) {}

  record Tenant(String id, long balance, Map<String, Object> profile, List<Charge> openCharges) {}

  record PaidCharge(String charge_id, long amount_in_cents) {}

  record Debit(String transactionId, boolean arrived) {}

  // The day in the home's time zone, as your ledger has it.
  private final String dueDate = LocalDate.now(ZoneId.of("America/Chicago")).toString();
  private Tenant tenant = new Tenant(
      "t-100",
      152012, // cents
      Map.of("first_name", "Ada", "last_name", "Lane", "email", "ada@example.com"),
      List.of(new Charge("C-1", dueDate, 152012)));
  // A table of yours, so that it survives a restart.
  private final Set<String> handledIds = ConcurrentHashMap.newKeySet();

  synchronized Tenant currentTenant() {
    return tenant; // from your session and your ledger
  }

  /** In the sandbox, also the tenants of `svc certify`. */
  boolean knowsTenant(String externalId) {
    return externalId.equals("t-100") || externalId.startsWith("certify-");
  }

  boolean isHandled(String eventId) {
    return handledIds.contains(eventId);
  }

  Debit debit(String settlementId, long amountInCents) {
    System.out.println("Debit " + amountInCents + " for " + settlementId); // your processor
    return new Debit("tr_" + settlementId, true);
  }

  /** Credits the charges in your ledger, and remembers the event, in one transaction of yours. */
  synchronized void credit(String externalId, List<PaidCharge> charges, String eventId) {
    for (var paid : charges) {
      if (!externalId.equals(tenant.id())) continue;
      var open = tenant.openCharges().stream().filter(it -> !it.id().equals(paid.charge_id()));
      tenant = new Tenant(
          tenant.id(), tenant.balance() - paid.amount_in_cents(), tenant.profile(), open.toList());
    }
    handledIds.add(eventId);
  }
}
// #endregion
