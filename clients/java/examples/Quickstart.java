import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import svc.Signatures;
import svc.SvcClient;
import svc.SvcException;
import svc.api.ApiException;
import svc.api.model.ChargeInput;
import svc.api.model.PortalInfoInput;
import svc.api.model.TenantUpdatedEvent;

public class Quickstart {
  public static void main(String[] args) throws Exception {
    String apiKey = System.getenv("SVC_API_KEY");
    SvcClient client = new SvcClient(apiKey, System.getenv("SVC_BASE_URL"));

    // 1. Sign the widget.
    System.out.println("signature " + Signatures.signWidget(apiKey, "my-portal", "t-100"));

    // 2. When the tenant clicks, get a tenant token.
    ChargeInput charge =
        new ChargeInput().id("C-1").dueDate(LocalDate.now().plusDays(14)).amountInCents(152012L);
    PortalInfoInput tenant =
        new PortalInfoInput()
            .firstName("Ada")
            .lastName("Lane")
            .email("ada@example.com")
            .charges(List.of(charge));
    var made = client.tenants.createTenantToken("t-100", tenant, null, null).getData();
    System.out.println("token " + (made.getToken() != null));

    // 3. List: pages are fetched as needed.
    var tenants =
        SvcClient.pages(
            cursor -> {
              var page = client.tenants.listTenants(2L, cursor, null).getData();
              return new SvcClient.Page<>(page.getItems(), page.getNextCursor());
            });
    int count = 0;
    for (var ignored : tenants) count++;
    System.out.println("tenants " + count);

    // 4. An error has a stable code.
    try {
      client.plansAndSettlements.getPlan("pln_none");
    } catch (ApiException exception) {
      SvcException error = SvcException.of(exception);
      System.out.println("error " + error.status + " " + error.code);
    }

    // 5. When a webhook arrives, verify it.
    byte[] body = Files.readAllBytes(Path.of(System.getenv("WEBHOOK_BODY_FILE")));
    receive(
        body,
        Map.of(
            "webhook-id", System.getenv("WEBHOOK_ID"),
            "webhook-timestamp", System.getenv("WEBHOOK_TIMESTAMP"),
            "webhook-signature", System.getenv("WEBHOOK_SIGNATURE")));
  }

  static void receive(byte[] body, Map<String, String> headers) throws Exception {
    Object event = Signatures.verifyWebhook(body, headers, System.getenv("SVC_WEBHOOK_SECRET"));
    if (event instanceof TenantUpdatedEvent updated) {
      String changed = String.join(",", updated.getData().getChanged());
      System.out.println("webhook " + updated.getExternalId() + " " + changed);
    }
  }
}
