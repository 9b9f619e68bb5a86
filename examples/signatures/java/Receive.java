import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.*;

@RestController
class Webhooks {
    private final Webhook webhook = new Webhook(System.getenv("SVC_WEBHOOK_SECRET"));

    // byte[]: the signature covers the raw body.
    @PostMapping("/webhooks/svc")
    ResponseEntity<String> receive(
            @RequestBody byte[] raw, @RequestHeader MultiValueMap<String, String> headers) {
        String body = new String(raw, StandardCharsets.UTF_8);
        try {
            webhook.verify(body, headers);
        } catch (WebhookVerificationException error) {
            return ResponseEntity.badRequest().body(error.getMessage()); // The console shows it.
        }
        // Retries keep the id: skip ids you have processed.
        System.out.println(headers.getFirst("webhook-id"));
        return ResponseEntity.noContent().build(); // Respond within 15 seconds; queue longer work.
    }
}
