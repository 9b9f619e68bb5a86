import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class Check {
    public static void main(String[] files) throws Exception {
        for (var row : rows(files[0])) {
            String externalId = text(row.get("external_id_base64"));
            System.out.println(
                    Signatures.signWidget(text(row.get("api_key_base64")), row.get("pms"), externalId));
        }
        for (var row : rows(files[1])) {
            byte[] raw = Base64.getDecoder().decode(row.get("body_base64"));
            long now = Long.parseLong(row.get("now"));
            String signature = row.get("signature");
            System.out.println(Signatures.verify(
                    raw, row.get("id"), row.get("timestamp"), signature, row.get("secret"), now));
        }
    }

    static List<Map<String, String>> rows(String path) throws Exception {
        List<String> lines = Files.readAllLines(Path.of(path), StandardCharsets.UTF_8);
        String[] names = lines.get(0).split("\t");
        return lines.stream().skip(1).map(line -> {
            String[] values = line.split("\t", -1);
            Map<String, String> row = new HashMap<>();
            for (int index = 0; index < names.length; index++) row.put(names[index], values[index]);
            return row;
        }).toList();
    }

    static String text(String encoded) {
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }
}
