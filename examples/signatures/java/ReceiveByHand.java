import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
class Webhooks {
    // byte[], not String: the signature covers the raw bytes.
    @PostMapping("/webhooks/svc")
    ResponseEntity<Void> receive(
            @RequestBody byte[] raw,
            @RequestHeader("webhook-id") String id,
            @RequestHeader("webhook-timestamp") String timestamp,
            @RequestHeader("webhook-signature") String signature) throws Exception {
        String secret = System.getenv("SVC_WEBHOOK_SECRET");
        long now = System.currentTimeMillis() / 1000;
        if (!Signatures.verify(raw, id, timestamp, signature, secret, now)) {
            return ResponseEntity.badRequest().build();
        }
        System.out.println(id); // Retries keep the id: skip ids you have processed.
        return ResponseEntity.noContent().build(); // Respond within 15 seconds; queue longer work.
    }
}
