package svc;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import svc.api.ApiClient;
import svc.api.model.Event;

/** The widget's signature and the verification of webhooks. */
public final class Signatures {
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  private Signatures() {}

  /** The widget's signature. It never expires, so it can be cached. */
  public static String signWidget(String apiKey, String pms, String externalId) {
    byte[] key = apiKey.getBytes(StandardCharsets.UTF_8);
    byte[] message = (pms + "+" + externalId).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(hmac(key, message));
  }

  /**
   * Returns the event if Svc sent it in the last five minutes. An event of a known type is a model such
   * as {@code SettlementCreatedEvent}; any other is an {@link Event}.
   *
   * @param body as received
   * @param secrets the endpoint's {@code whsec_} secret or {@code whpk_} public key, or several during a
   *     rotation
   */
  public static Object verifyWebhook(byte[] body, Map<String, String> headers, String... secrets)
      throws WebhookVerificationException, IOException {
    List<Verifier> verifiers = Stream.of(secrets).map(Signatures::verifierOf).toList();
    if (verifiers.isEmpty()) {
      throw new IllegalArgumentException("There is no secret or public key to verify with.");
    }
    Map<String, String> received = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    received.putAll(headers);
    for (String name : new String[] {"webhook-id", "webhook-timestamp", "webhook-signature"}) {
      if (received.get(name) == null) {
        throw new WebhookVerificationException("The request lacks " + name + ".");
      }
    }
    String timestamp = received.get("webhook-timestamp");
    if (!timestamp.matches("[0-9]{1,12}")) {
      throw new WebhookVerificationException("webhook-timestamp is not a number of seconds.");
    }
    Instant sentAt = Instant.ofEpochSecond(Long.parseLong(timestamp));
    if (Duration.between(sentAt, Instant.now()).abs().compareTo(TOLERANCE) > 0) {
      throw new WebhookVerificationException(
          "The message is too old, or this machine's clock is wrong.");
    }
    byte[] start =
        (received.get("webhook-id") + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
    byte[] signed = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, signed, start.length, body.length);
    boolean found = false;
    boolean matches = false;
    for (Verifier verifier : verifiers) {
      for (String entry : received.get("webhook-signature").split(" ")) {
        if (!entry.startsWith(verifier.version)) continue;
        found = true;
        matches |= verifier.verifies.test(signed, entry.substring(verifier.version.length()));
      }
    }
    if (!found) {
      throw new WebhookVerificationException(
          "No signature is of your key's kind: a whsec_ secret verifies v1, and a whpk_ key verifies v1a,"
              + " which an endpoint with asymmetric_signature sends.");
    }
    if (!matches) {
      throw new WebhookVerificationException(
          "No signature matches. Pass the body as received, and this endpoint's secret or public key.");
    }
    var mapper = ApiClient.createDefaultObjectMapper();
    JsonNode event = mapper.readTree(body);
    return mapper.treeToValue(event, modelOf(event));
  }

  private static Class<?> modelOf(JsonNode event) {
    if (event.path("custom").asBoolean()) return Event.class;
    StringBuilder name = new StringBuilder();
    for (String word : event.path("type").asText().split("[._]")) {
      if (!word.isEmpty()) name.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
    }
    try {
      return Class.forName("svc.api.model." + name + "Event");
    } catch (ClassNotFoundException ofALaterRelease) {
      return Event.class;
    }
  }

  /** Verifies the signatures of one version with a secret or a public key. */
  private record Verifier(String version, BiPredicate<byte[], String> verifies) {}

  private static Verifier verifierOf(String secret) {
    if (secret.startsWith("whpk_")) return publicKeyVerifier(decode(secret.substring(5)));
    byte[] key = decode(secret.replaceFirst("^whsec_", ""));
    if (key.length == 0) {
      throw new IllegalArgumentException("The secret is not whsec_ followed by base64.");
    }
    return new Verifier(
        "v1,",
        (signed, signature) ->
            MessageDigest.isEqual(
                Base64.getEncoder().encode(hmac(key, signed)),
                signature.getBytes(StandardCharsets.UTF_8)));
  }

  /** DER before the 32 bytes of an ed25519 key (RFC 8410). */
  private static final byte[] DER_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private static Verifier publicKeyVerifier(byte[] key) {
    if (key.length != 32) {
      throw new IllegalArgumentException(
          "The public key is not whpk_ followed by the base64 of 32 bytes.");
    }
    byte[] encoded = Arrays.copyOf(DER_PREFIX, DER_PREFIX.length + key.length);
    System.arraycopy(key, 0, encoded, DER_PREFIX.length, key.length);
    return new Verifier(
        "v1a,",
        (signed, signature) -> {
          try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(
                KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
            verifier.update(signed);
            return verifier.verify(decode(signature));
          } catch (NoSuchAlgorithmException exception) {
            throw new IllegalStateException(exception); // Java has Ed25519 since 15
          } catch (GeneralSecurityException invalidKeyOrSignature) {
            return false;
          }
        });
  }

  /** Returns no bytes if the text is not base64. */
  private static byte[] decode(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException notBase64) {
      return new byte[0];
    }
  }

  private static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(message);
    } catch (GeneralSecurityException exception) {
      throw new IllegalStateException(exception); // every Java has HmacSHA256
    }
  }
}
