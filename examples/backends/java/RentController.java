// #region app
import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestClient;

@RestController
class RentController {
  private final String key = System.getenv("SVC_API_KEY");
  private final String pms = System.getenv("SVC_PMS");
  private final String api = "http://localhost:4000/v1";
  private final RestClient svc = RestClient.create(api);
  private final Webhook webhook = new Webhook(System.getenv("SVC_WEBHOOK_SECRET"));
  private final ObjectMapper json = new ObjectMapper();
  // Cents. Replace with your signed-in tenant.
  private final String tenantId = "t-100";
  private final int balance = 152012;
  // #endregion

  // #region signature
  @GetMapping("/api/svc/settings")
  Map<String, Object> widgetSettings() throws Exception {
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    var message = (pms + "+" + tenantId).getBytes(StandardCharsets.UTF_8);
    var signature = HexFormat.of().formatHex(mac.doFinal(message));
    return Map.of(
        "pms", pms, "externalId", tenantId, "balance", balance, "signature", signature,
        "environment", "sandbox", "baseUrl", api);
  }
  // #endregion

  // #region token
  @PostMapping("/api/svc/token")
  Map<String, String> tenantToken() {
    var charge = Map.of(
        "id", "C-1", "due_date", LocalDate.now().toString(), "amount_in_cents", balance);
    var answer = svc.post()
        .uri("/tenant/portal_info/{id}", tenantId)
        .header("Authorization", "Bearer " + key)
        .body(Map.of(
            "first_name", "Ada",
            "last_name", "Lane",
            "email", "ada@example.com",
            "charges", List.of(charge)))
        .retrieve()
        .body(PortalInfo.class);
    return Map.of("token", answer.data().token());
  }

  record PortalInfo(Data data) {
    record Data(String token) {}
  }
  // #endregion

  // #region webhook
  @PostMapping("/api/svc/webhooks")
  ResponseEntity<String> svcWebhooks(
      @RequestBody byte[] raw, @RequestHeader MultiValueMap<String, String> headers)
      throws Exception {
    var body = new String(raw, StandardCharsets.UTF_8);
    try {
      webhook.verify(body, headers);
    } catch (WebhookVerificationException error) {
      return ResponseEntity.badRequest().body(error.getMessage());
    }
    var event = json.readTree(body);
    var isReal = !event.path("test").asBoolean() && !event.path("custom").asBoolean();
    if (event.get("type").asText().equals("settlement.created") && isReal) {
      // Debit it, and skip an event whose id you have stored.
      System.out.println(event.at("/data/settlement_id").asText());
    }
    return ResponseEntity.noContent().build();
  }
}

@SpringBootConfiguration
@EnableAutoConfiguration
@Import(RentController.class)
class Application {
  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }
}
// #endregion
