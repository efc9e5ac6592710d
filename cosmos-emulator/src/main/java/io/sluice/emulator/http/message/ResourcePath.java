package io.sluice.emulator.http.message;

import io.sluice.emulator.document.StatusException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request, decoded, and the resource it names.
 *
 * @param segments between the slashes
 */
public record ResourcePath(List<String> segments) {
    private static final Pattern UNADDRESSABLE = Pattern.compile("[/\\\\#]| $|%[0-9A-Fa-f]{2}");
    private static final String OPERATIONS = "operations";
    /** Python's SDK names the key, Java's the container. */
    private static final List<String> OPERATION_TYPES = List.of("partitionkey", "colls");

    private static final int CONTAINER_SEGMENTS = 4;
    private static final int CHILD_SEGMENTS = 6;

    /** Copies the segments. */
    public ResourcePath {
        segments = List.copyOf(segments);
    }

    /**
     * Parses a request's target.
     *
     * @throws StatusException 400 when a percent escape is invalid, or stands for a control character
     */
    public static ResourcePath parse(String target) {
        int query = target.indexOf('?');
        var path = query < 0 ? target : target.substring(0, query);
        int scheme = path.indexOf("://");
        if (scheme > 0) {
            int slash = path.indexOf('/', scheme + 3);
            path = slash < 0 ? "" : path.substring(slash);
        }
        var segments = new ArrayList<String>();
        for (var segment : path.split("/", -1)) {
            if (!segment.isEmpty()) {
                segments.add(decode(segment));
            }
        }
        return new ResourcePath(segments);
    }

    private static String decode(String segment) {
        var decoded = segment.indexOf('%') < 0 ? segment : unescape(segment);
        for (int i = 0; i < decoded.length(); i++) {
            if (Character.isISOControl(decoded.charAt(i))) {
                throw StatusException.badRequest("The path has a control character: " + segment);
            }
        }
        return decoded;
    }

    private static String unescape(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw StatusException.badRequest("The path has an invalid percent escape: " + segment);
        }
    }

    /** Whether it names a collection of resources rather than one. */
    public boolean isFeed() {
        return segments.size() % 2 == 1;
    }

    /** The type of resource it names, such as {@code docs} or {@code colls}; empty for the account. */
    public String resourceType() {
        if (segments.isEmpty()) {
            return "";
        }
        return isFeed() ? segments.get(segments.size() - 1) : segments.get(segments.size() - 2);
    }

    /** The types of resource that its signature may name. */
    public List<String> signedTypes() {
        return isOperation() ? OPERATION_TYPES : List.of(resourceType());
    }

    /** Whether it names an operation on a container, whose signature covers the container. */
    private boolean isOperation() {
        return segments.size() == CHILD_SEGMENTS
                && segments.get(CONTAINER_SEGMENTS).equals(OPERATIONS);
    }

    /** The types along it, without names: {@code dbs/colls/docs}. */
    public String shape() {
        var types = new ArrayList<String>();
        for (int i = 0; i < segments.size(); i += 2) {
            types.add(segments.get(i));
        }
        return String.join("/", types);
    }

    /**
     * Whether a client can name the item at its end. The service's gateway decodes and shortens paths before it checks
     * their signatures, so some ids are never signed right; their items can be read by queries and resource ids.
     */
    public boolean isAddressable() {
        var child = child();
        return child == null || !UNADDRESSABLE.matcher(child).find();
    }

    /** What a signature covers when resources are addressed by name: the resource, or the parent of a collection. */
    public String signedLink() {
        if (isOperation()) {
            return String.join("/", segments.subList(0, CONTAINER_SEGMENTS));
        }
        return String.join("/", isFeed() ? segments.subList(0, segments.size() - 1) : segments);
    }

    /** What a signature covers when resources are addressed by resource id. */
    public String signedRid() {
        if (segments.isEmpty()) {
            return "";
        }
        if (isOperation()) {
            return segments.get(CONTAINER_SEGMENTS - 1);
        }
        int at = isFeed() ? segments.size() - 2 : segments.size() - 1;
        return at < 0 ? "" : segments.get(at);
    }

    /** The database it names. */
    public String database() {
        return segments.get(1);
    }

    /** The container it names, null when it goes no further than databases. */
    @Nullable
    public String container() {
        return segments.size() >= CONTAINER_SEGMENTS ? segments.get(CONTAINER_SEGMENTS - 1) : null;
    }

    /** The item or other child of a container it names, null for none. */
    @Nullable
    public String child() {
        return segments.size() >= CHILD_SEGMENTS ? segments.get(CHILD_SEGMENTS - 1) : null;
    }

    /** The last segment. */
    public String last() {
        return segments.get(segments.size() - 1);
    }

    @Override
    public String toString() {
        return "/" + String.join("/", segments);
    }
}
