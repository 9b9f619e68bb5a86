import { type Language, quote } from './language.ts';

const verify = `static boolean verify(
        byte[] raw, String id, String timestamp, String signature, String secret, long now) throws Exception {
    if (id == null || signature == null || timestamp == null) return false;
    if (!timestamp.matches("[0-9]{1,12}")) return false;
    if (Math.abs(now - Long.parseLong(timestamp)) > 300) return false;
    byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = Base64.getEncoder().encode(mac.doFinal(raw));
    // During a rotation there is one entry per active secret; one match is enough.
    for (String entry : signature.split(" ")) {
        if (!entry.startsWith("v1,")) continue;
        byte[] given = entry.substring(3).getBytes(StandardCharsets.UTF_8);
        if (MessageDigest.isEqual(expected, given)) return true;
    }
    return false;
}`;

export const java: Language = {
  name: 'Java',
  libraries: [
    {
      name: 'Standard Webhooks',
      install: 'com.standardwebhooks:standardwebhooks:1.1.0',
      file: 'Webhooks.java',
      needs:
        'Java 17 and Spring Web, with CSRF protection off for this path. The artifact serves Kotlin too.',
      code: (path) => `import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.*;

@RestController
class Webhooks {
    private final Webhook webhook = new Webhook(System.getenv("SVC_WEBHOOK_SECRET"));

    // byte[]: the signature covers the raw body.
    @PostMapping(${quote(path)})
    ResponseEntity<String> receive(
            @RequestBody byte[] raw, @RequestHeader MultiValueMap<String, String> headers) {
        String body = new String(raw, StandardCharsets.UTF_8);
        try {
            webhook.verify(body, headers);
        } catch (WebhookVerificationException error) {
            return ResponseEntity.badRequest().body(error.getMessage()); // Shown in this console.
        }
        // Retries keep the id: skip ids you have processed.
        System.out.println(headers.getFirst("webhook-id"));
        return ResponseEntity.noContent().build(); // Respond within 15 seconds; queue longer work.
    }
}
`,
    },
  ],
  manual: {
    file: 'Webhooks.java',
    needs: 'Java 17 and Spring Web, with CSRF protection off for this path.',
    verify,
    code: (path) => `import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
class Webhooks {
    // byte[], not String: the signature covers the raw bytes.
    @PostMapping(${quote(path)})
    ResponseEntity<Void> receive(
            @RequestBody byte[] raw,
            @RequestHeader("webhook-id") String id,
            @RequestHeader("webhook-timestamp") String timestamp,
            @RequestHeader("webhook-signature") String signature) throws Exception {
        String secret = System.getenv("SVC_WEBHOOK_SECRET");
        long now = System.currentTimeMillis() / 1000;
        if (!verify(raw, id, timestamp, signature, secret, now)) {
            return ResponseEntity.badRequest().build();
        }
        System.out.println(id); // Retries keep the id: skip ids you have processed.
        return ResponseEntity.noContent().build(); // Respond within 15 seconds; queue longer work.
    }

${verify.replace(/^(?=.)/gm, '    ')}
}
`,
  },
};
