package io.sluice.durabletask.access;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tokens from a file. Only their digests are kept. Immutable. */
public final class StaticTokens implements TokenCheck {
    private static final int SHORTEST = 16;
    private static final String TOKEN = "token";
    private static final String RIGHTS = "rights";
    private static final String HUBS = "hubs";
    private static final Set<String> KEYS = Set.of(TOKEN, RIGHTS, HUBS);
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private final Map<String, Grant> grants;

    private StaticTokens(Map<String, Grant> grants) {
        this.grants = Map.copyOf(grants);
    }

    /**
     * Reads tokens from JSON: {@code [{"token": "…", "rights": ["client", "worker"], "hubs": ["orders"]}]}. Without
     * {@code hubs} a token opens all; an empty list is refused, and so is any other key: a misspelt {@code hubs} would
     * open all.
     *
     * @throws IllegalArgumentException naming the place and what is wrong there, never a token
     */
    public static StaticTokens parse(String json) {
        JsonNode root = read(json);
        if (!root.isArray()) {
            throw new IllegalArgumentException("tokens: expected a JSON array");
        }
        Map<String, Grant> grants = new HashMap<>();
        for (int i = 0; i < root.size(); i++) {
            String place = "tokens[" + i + "]";
            refuseOtherKeys(root.get(i), place);
            String token = text(root.get(i).path(TOKEN), place + ".token");
            if (token.length() < SHORTEST) {
                throw new IllegalArgumentException(place + ".token: expected at least " + SHORTEST + " characters");
            }
            Grant grant = new Grant(
                    rights(root.get(i).path(RIGHTS), place + ".rights"),
                    hubs(root.get(i).path(HUBS), place + ".hubs"),
                    null);
            if (grants.put(digest(token), grant) != null) {
                throw new IllegalArgumentException(place + ".token: the same as an earlier one");
            }
        }
        return new StaticTokens(grants);
    }

    private static JsonNode read(String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            JsonNode root = tree(parser);
            if (parser.nextToken() != null) {
                JsonLocation end = parser.currentTokenLocation();
                throw new IllegalArgumentException("tokens: the JSON array has ended, but there is more at line "
                        + end.getLineNr() + ", column " + end.getColumnNr());
            }
            return root;
        } catch (IOException e) {
            throw new IllegalArgumentException("tokens: expected a JSON array", e);
        }
    }

    private static JsonNode tree(JsonParser parser) throws IOException {
        try {
            JsonNode root = JSON.readTree(parser);
            return root == null ? MissingNode.getInstance() : root;
        } catch (MismatchedInputException e) {
            throw new IllegalArgumentException(
                    place(parser.getParsingContext().pathAsPointer()) + ": the key is there twice", e);
        }
    }

    private static String place(JsonPointer pointer) {
        StringBuilder place = new StringBuilder("tokens");
        for (JsonPointer rest = pointer; !rest.matches(); rest = rest.tail()) {
            place.append(
                    rest.mayMatchElement() ? "[" + rest.getMatchingIndex() + "]" : "." + rest.getMatchingProperty());
        }
        return place.toString();
    }

    private static void refuseOtherKeys(JsonNode entry, String place) {
        for (Map.Entry<String, JsonNode> field : entry.properties()) {
            if (!KEYS.contains(field.getKey())) {
                throw new IllegalArgumentException(
                        place + "." + field.getKey() + ": no such key, expected token, rights or hubs");
            }
        }
    }

    private static Set<Right> rights(JsonNode names, String place) {
        Set<Right> rights = EnumSet.noneOf(Right.class);
        for (String name : texts(names, place)) {
            try {
                rights.add(Right.valueOf(name.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(place + ": expected client, worker or admin, was '" + name + "'", e);
            }
        }
        if (rights.isEmpty()) {
            throw new IllegalArgumentException(place + ": expected at least one of client, worker, admin");
        }
        return rights;
    }

    /** None named is a slip: what it opens must not be guessed. */
    private static @Nullable Set<String> hubs(JsonNode names, String place) {
        if (names.isMissingNode()) {
            return null;
        }
        List<String> hubs = texts(names, place);
        if (hubs.isEmpty()) {
            throw new IllegalArgumentException(
                    place + ": expected at least one name of a task hub; without the field the token opens all");
        }
        return new HashSet<>(hubs);
    }

    private static List<String> texts(JsonNode array, String place) {
        if (array.isMissingNode()) {
            return List.of();
        }
        if (!array.isArray()) {
            throw new IllegalArgumentException(place + ": expected an array");
        }
        List<String> texts = new ArrayList<>();
        array.forEach(element -> texts.add(text(element, place)));
        return texts;
    }

    private static String text(JsonNode node, String place) {
        if (!node.isTextual() || node.textValue().isEmpty()) {
            throw new IllegalArgumentException(place + ": expected a text that is not empty");
        }
        return node.textValue();
    }

    @Override
    public Optional<Grant> grantOf(String token) {
        return Optional.ofNullable(grants.get(digest(token)));
    }

    /** Looked up by digest, so that the time of a look-up says nothing of the tokens. */
    private static String digest(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
