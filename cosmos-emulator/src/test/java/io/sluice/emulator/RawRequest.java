package io.sluice.emulator;

import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A signed request as bytes. Immutable, but for its body. */
public final class RawRequest {
    private final String method;
    private final String path;
    private final Map<String, String> headers;
    private final byte[] body;

    /** With its path as it stands in the request line, without the slash before it. */
    private RawRequest(String method, String path, Map<String, String> headers, byte[] body) {
        this.method = method;
        this.path = path;
        this.headers = headers;
        this.body = body;
    }

    private static final String DATE = "thu, 01 jan 2026 00:00:00 gmt";

    /** A request whose path has no slash before it. */
    public static RawRequest of(String method, String path, Map<String, String> headers, String body) {
        return new RawRequest(method, path, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    RawRequest with(String header, String value) {
        var more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new RawRequest(method, path, more, body);
    }

    RawRequest withBody(byte[] other) {
        return new RawRequest(method, path, headers, other);
    }

    RawRequest withPath(String other) {
        return new RawRequest(method, other, headers, body);
    }

    /** With the key's signature, unless it brings one of its own. */
    byte[] bytes(String key) {
        return bytes(key, "localhost", DATE);
    }

    /**
     * The same, for a host and at a date of RFC 1123. A header of its own goes in place of the one made for it, a date
     * so that it is not the one that was signed.
     */
    public byte[] bytes(String key, String host, String date) {
        var head = new StringBuilder(method)
                .append(" /")
                .append(path)
                .append(" HTTP/1.1\r\nhost: ")
                .append(host)
                .append("\r\n");
        var all = new LinkedHashMap<String, String>();
        all.put("x-ms-date", date);
        all.put("authorization", signature(key, date.toLowerCase(Locale.ROOT)));
        all.put("content-length", Integer.toString(body.length));
        all.putAll(headers);
        all.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(body);
        return bytes.toByteArray();
    }

    private String signature(String key, String date) {
        var segments = segments();
        boolean isFeed = segments.size() % 2 == 1;
        var type = segments.isEmpty() ? "" : segments.get(segments.size() - (isFeed ? 1 : 2));
        var link = String.join("/", isFeed ? segments.subList(0, segments.size() - 1) : segments);
        var payload = method.toLowerCase(Locale.ROOT) + "\n" + type + "\n" + link + "\n" + date + "\n\n";
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            var signed = Base64.getEncoder().encodeToString(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
            return URLEncoder.encode("type=master&ver=1.0&sig=" + signed, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** What a signature covers; nothing when the path encodes nothing. */
    private List<String> segments() {
        var segments = new ArrayList<String>();
        int query = path.indexOf('?');
        try {
            for (var segment : (query < 0 ? path : path.substring(0, query)).split("/", -1)) {
                if (!segment.isEmpty()) {
                    segments.add(URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8));
                }
            }
        } catch (IllegalArgumentException unreadable) {
            return List.of();
        }
        return segments;
    }
}
