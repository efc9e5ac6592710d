package io.sluice.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Secrets like no other text, and where they turn up: as they are, or in a form from which they can be read back. What
 * is only computed from one (a signature, a proof, a hash) is none of its forms. Not thread-safe.
 */
final class Canaries {
    private static final int RANDOM_BYTES = 15;
    /** How much of a text the search looks at to see whether a form might begin there. */
    private static final int HEAD = 8;

    private static final Pattern DUMPED = Pattern.compile("\\|[0-9a-f]{8}\\| ((?:[0-9a-f]{2} ){1,16})");

    private final SecureRandom random = new SecureRandom();
    /** By how they begin: each form, and whose it is. */
    private final Map<String, Map<String, String>> forms = new HashMap<>();

    private final BitSet beginnings = new BitSet();

    /** A new secret of letters and digits. */
    String word(String name) {
        return watched(name, HexFormat.of().formatHex(bytes(RANDOM_BYTES)));
    }

    /** A new secret as keys of accounts are: 64 bytes in Base64. */
    String key(String name) {
        return watched(name, Base64.getEncoder().encodeToString(bytes(64)));
    }

    private byte[] bytes(int count) {
        var bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Watches for a secret that is there already, and returns it. */
    String watched(String name, String secret) {
        add(secret, name, "as it is");
        add(URLEncoder.encode(secret, UTF_8), name, "as URLs have it");
        add(secret.replace("/", "\\/"), name, "as JSON may have it");
        var bytes = secret.getBytes(UTF_8);
        add(HexFormat.of().formatHex(bytes), name, "in hexadecimal");
        add(HexFormat.of().withUpperCase().formatHex(bytes), name, "in hexadecimal");
        add(inside(Arrays.toString(bytes)), name, "as bytes");
        add(inside(Arrays.toString(secret.toCharArray())), name, "as characters");
        for (int before = 0; before < 3; before++) {
            var core = base64Behind(before, bytes);
            add(core, name, "in Base64");
            add(core.replace('+', '-').replace('/', '_'), name, "in Base64");
        }
        return secret;
    }

    private static String inside(String list) {
        return list.substring(1, list.length() - 1);
    }

    /**
     * What is the same in Base64 whatever stands around the secret, when so many bytes of its first group are of
     * something else.
     */
    private static String base64Behind(int before, byte[] secret) {
        var shifted = new byte[before + secret.length];
        System.arraycopy(secret, 0, shifted, before, secret.length);
        var encoded = Base64.getEncoder().withoutPadding().encodeToString(shifted);
        return encoded.substring(before == 0 ? 0 : before + 1, shifted.length * 4 / 3);
    }

    private void add(String form, String name, String how) {
        beginnings.set(beginning(form, 0));
        forms.computeIfAbsent(form.substring(0, HEAD), head -> new HashMap<>()).putIfAbsent(form, name + " " + how);
    }

    /** Two letters as a number, by which most places of a text are passed over. */
    private static int beginning(String text, int at) {
        return ((text.charAt(at) & 0xff) << 8) + (text.charAt(at + 1) & 0xff);
    }

    /** Which secrets the text tells, how, and the first line that does. */
    Map<String, String> foundIn(String text) {
        Map<String, String> found = new TreeMap<>();
        look(text, found);
        look(undumped(text), found);
        return found;
    }

    /** What Netty's tables of bytes in hexadecimal hold, by which it tells what goes over the wire. */
    private static String undumped(String text) {
        return DUMPED.matcher(text)
                .results()
                .map(row -> new String(HexFormat.of().parseHex(row.group(1).replace(" ", "")), ISO_8859_1))
                .collect(Collectors.joining());
    }

    private void look(String text, Map<String, String> found) {
        for (int i = 0; i + HEAD <= text.length(); i++) {
            if (beginnings.get(beginning(text, i))) {
                int at = i;
                forms.getOrDefault(text.substring(i, i + HEAD), Map.of()).forEach((form, whose) -> {
                    if (text.startsWith(form, at)) {
                        found.computeIfAbsent(whose, first -> lineAround(text, at));
                    }
                });
            }
        }
    }

    private static String lineAround(String text, int at) {
        int end = text.indexOf('\n', at);
        return text.substring(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length() : end);
    }
}
