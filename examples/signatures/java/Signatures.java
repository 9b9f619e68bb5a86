import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Signatures {
    // #region sign
    static String signWidget(String apiKey, String pms, String externalId) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(apiKey.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] digest = mac.doFinal((pms + "+" + externalId).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest);
    }
    // #endregion

    // #region verify
    static boolean verify(
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
    }
    // #endregion
}
