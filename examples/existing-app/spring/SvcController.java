// #region svc
package portal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestClient;

@RestController
@RequestMapping("/api/svc")
class SvcController {
  private static final String API = "http://localhost:4000/v1";
  private final String key = System.getenv("SVC_API_KEY");
  private final String pms = System.getenv("SVC_PMS");
  private final Webhook webhook = new Webhook(System.getenv("SVC_WEBHOOK_SECRET"));
  private final RestClient svc = RestClient.builder()
      .baseUrl(API)
      .defaultHeader("Authorization", "Bearer " + key)
      .build();
  private final ObjectMapper json = new ObjectMapper();
  private final Portal portal;

  SvcController(Portal portal) {
    this.portal = portal;
  }

  @GetMapping("/settings")
  Map<String, Object> settings() throws Exception {
    var tenant = portal.currentTenant();
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    var message = (pms + "+" + tenant.id()).getBytes(StandardCharsets.UTF_8);
    return Map.of(
        "pms", pms, "externalId", tenant.id(), "balance", tenant.balance(),
        "signature", HexFormat.of().formatHex(mac.doFinal(message)),
        "environment", "sandbox", "baseUrl", API);
  }

  @PostMapping("/token")
  Map<String, String> token() {
    var tenant = portal.currentTenant();
    var body = new HashMap<>(tenant.profile());
    body.put("charges", tenant.openCharges());
    var answer = svc.post()
        .uri("/tenant/portal_info/{id}", tenant.id())
        .body(body)
        .retrieve()
        .body(PortalInfo.class);
    return Map.of("token", answer.data().token());
  }

  record PortalInfo(Data data) {
    record Data(String token) {}
  }

  @PostMapping("/webhooks")
  ResponseEntity<String> webhooks(
      @RequestBody byte[] raw, @RequestHeader MultiValueMap<String, String> headers)
      throws Exception {
    var body = new String(raw, StandardCharsets.UTF_8);
    try {
      webhook.verify(body, headers);
    } catch (WebhookVerificationException error) {
      return ResponseEntity.badRequest().body(error.getMessage());
    }
    var event = json.readTree(body);
    var id = event.path("id").asText();
    var externalId = event.path("external_id").asText();
    var isReal = !event.path("test").asBoolean()
        && !event.path("custom").asBoolean()
        && portal.knowsTenant(externalId);
    var isSettlement = event.path("type").asText().equals("settlement.created");
    if (isReal && isSettlement && !portal.isHandled(id)) {
      var data = event.get("data");
      var settlementId = data.get("settlement_id").asText();
      var debit = portal.debit(settlementId, data.get("amount_in_cents").asLong());
      // "unverified" means sent; report "verified" when the money arrives.
      var status = debit.arrived() ? "verified" : "unverified";
      svc.patch()
          .uri("/settlements/{id}", settlementId)
          .body(Map.of("status", status, "processor_transaction_id", debit.transactionId()))
          .retrieve()
          .toBodilessEntity();
      var charges = json.convertValue(
          data.get("charges_and_amounts_paid"), Portal.PaidCharge[].class);
      portal.credit(externalId, List.of(charges), id);
    }
    return ResponseEntity.noContent().build();
  }
}
// #endregion
