import java.util.Base64;
import java.util.Map;
import java.util.Scanner;
import svc.Signatures;
import svc.WebhookVerificationException;
import svc.api.model.TenantUpdatedEvent;

/** Verifies messages from the standard input, one a line: keys, id, timestamp, signature and body in base64. */
public class Verify {
  public static void main(String[] args) throws Exception {
    for (Scanner lines = new Scanner(System.in); lines.hasNextLine(); ) {
      String[] fields = lines.nextLine().split("\t");
      String[] keys = fields[0].isEmpty() ? new String[0] : fields[0].split(" ");
      byte[] body = Base64.getDecoder().decode(fields[4]);
      var headers =
          Map.of(
              "Webhook-Id", fields[1],
              "Webhook-Timestamp", fields[2],
              "Webhook-Signature", fields[3]);
      try {
        var event = (TenantUpdatedEvent) Signatures.verifyWebhook(body, headers, keys);
        System.out.println("verified " + event.getType() + " " + event.getExternalId());
      } catch (WebhookVerificationException exception) {
        System.out.println("refused " + exception.getMessage());
      } catch (IllegalArgumentException exception) {
        System.out.println("misconfigured " + exception.getMessage());
      }
    }
  }
}
