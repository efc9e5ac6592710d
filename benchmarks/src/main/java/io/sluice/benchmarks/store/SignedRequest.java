package io.sluice.benchmarks.store;

import io.sluice.emulator.EmulatorConfig;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A request in bytes as they go to the emulator, made before it is measured, so that a sender only copies them. */
public final class SignedRequest {
    private static final String ALGORITHM = "HmacSHA256";

    private final String method;
    private final String path;
    private final String resourceType;
    private final String link;
    private final Map<String, String> headers = new LinkedHashMap<>();

    private SignedRequest(String method, String path, String resourceType, String link) {
        this.method = method;
        this.path = path;
        this.resourceType = resourceType;
        this.link = link;
    }

    /** A request for what a path names. */
    public static SignedRequest to(String method, String path) {
        var segments = path.split("/", -1);
        return new SignedRequest(method, "/" + path, segments[segments.length - 2], path);
    }

    /** A request for a collection, such as the items of a container. */
    public static SignedRequest toAll(String method, String parent, String resourceType) {
        return new SignedRequest(
                method, "/" + (parent.isEmpty() ? "" : parent + "/") + resourceType, resourceType, parent);
    }

    /** Adds a header. */
    public SignedRequest header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** Scopes it to a partition key. */
    public SignedRequest partitionKey(String key) {
        return header("x-ms-documentdb-partitionkey", "[\"" + key + "\"]");
    }

    /** The request with this body, dated now. */
    public byte[] bytes(String body) {
        var date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        var text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nhost: 127.0.0.1\r\n");
        headers.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
        text.append("x-ms-date: ").append(date).append("\r\nauthorization: ").append(signature(date));
        text.append("\r\ncontent-length: ").append(body.getBytes(StandardCharsets.UTF_8).length);
        return text.append("\r\n\r\n").append(body).toString().getBytes(StandardCharsets.UTF_8);
    }

    private String signature(String date) {
        var payload = method.toLowerCase(Locale.ROOT) + "\n" + resourceType + "\n" + link + "\n"
                + date.toLowerCase(Locale.ROOT) + "\n\n";
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(EmulatorConfig.WELL_KNOWN_KEY), ALGORITHM));
            var signed = Base64.getEncoder().encodeToString(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
            return URLEncoder.encode("type=master&ver=1.0&sig=" + signed, StandardCharsets.US_ASCII);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java has " + ALGORITHM, e);
        }
    }
}
