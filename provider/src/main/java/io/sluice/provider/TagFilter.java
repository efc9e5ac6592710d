package io.sluice.provider;

import io.sluice.provider.json.Surrogates;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which activities a worker serves, by their tag. Sets hold 1 to 5 tags, as the contract has it; {@link Many} more. */
public sealed interface TagFilter {
    /** Most tags a filter of the contract may name. */
    int MAX_TAGS = 5;

    /** Most tags that {@link #manyTags} and {@link #defaultAndMany} may name. */
    int MAX_MANY_TAGS = 1_000;

    /** Most bytes of UTF-8 of all tags of such a filter: every query names them. */
    int MAX_MANY_BYTES = 64 * 1024;

    /** Whether an activity with this tag (null: untagged) is served. */
    boolean matches(@Nullable String tag);

    /** The tags that it names; none where it names none. */
    default Set<String> tags() {
        return Set.of();
    }

    /** Untagged activities only. */
    static TagFilter defaultOnly() {
        return DefaultOnly.INSTANCE;
    }

    /** Activities with one of these tags. */
    static TagFilter tags(Set<String> tags) {
        return new Tags(tags);
    }

    /** Untagged activities, and those with one of these tags. */
    static TagFilter defaultAnd(Set<String> tags) {
        return new DefaultAnd(tags);
    }

    /**
     * Activities with one of these tags, of which there may be many: 1 to {@value #MAX_MANY_TAGS}. For hosts that keep
     * the names of activities as their tags; a runtime of duroxide's has no such filter.
     *
     * @throws IllegalArgumentException when they are none, or too many
     */
    static TagFilter manyTags(Set<String> tags) {
        return new Many(tags, false);
    }

    /** Untagged activities, and those with one of these tags, of which there may be as many. */
    static TagFilter defaultAndMany(Set<String> tags) {
        return new Many(tags, true);
    }

    /** Every activity. */
    static TagFilter any() {
        return Any.INSTANCE;
    }

    /** No activity; a fetch does not touch the store. */
    static TagFilter none() {
        return None.INSTANCE;
    }

    /** Untagged activities only. */
    enum DefaultOnly implements TagFilter {
        INSTANCE;

        @Override
        public boolean matches(@Nullable String tag) {
            return tag == null;
        }
    }

    /** Activities with one of {@code tags}. */
    record Tags(Set<String> tags) implements TagFilter {
        public Tags {
            tags = checked(tags);
        }

        @Override
        public boolean matches(@Nullable String tag) {
            return tag != null && tags.contains(tag);
        }
    }

    /** Untagged activities, and those with one of {@code tags}. */
    record DefaultAnd(Set<String> tags) implements TagFilter {
        public DefaultAnd {
            tags = checked(tags);
        }

        @Override
        public boolean matches(@Nullable String tag) {
            return tag == null || tags.contains(tag);
        }
    }

    /**
     * Activities with one of {@code tags}.
     *
     * @param untagged whether those without a tag are served as well
     */
    record Many(Set<String> tags, boolean untagged) implements TagFilter {
        public Many {
            tags = checkedMany(tags);
        }

        @Override
        public boolean matches(@Nullable String tag) {
            return tag == null ? untagged : tags.contains(tag);
        }
    }

    /** Every activity. */
    enum Any implements TagFilter {
        INSTANCE;

        @Override
        public boolean matches(@Nullable String tag) {
            return true;
        }
    }

    /** No activity. */
    enum None implements TagFilter {
        INSTANCE;

        @Override
        public boolean matches(@Nullable String tag) {
            return false;
        }
    }

    private static SortedSet<String> checkedMany(Set<String> tags) {
        if (tags.isEmpty() || tags.size() > MAX_MANY_TAGS) {
            throw new IllegalArgumentException(
                    "a filter of many tags names 1 to " + MAX_MANY_TAGS + " tags, had " + tags.size());
        }
        long bytes = tags.stream()
                .mapToLong(tag -> tag.getBytes(StandardCharsets.UTF_8).length)
                .sum();
        if (bytes > MAX_MANY_BYTES) {
            throw new IllegalArgumentException(
                    "the tags of a filter must have at most " + MAX_MANY_BYTES + " bytes together, had " + bytes);
        }
        return sorted(tags);
    }

    private static SortedSet<String> checked(Set<String> tags) {
        if (tags.isEmpty() || tags.size() > MAX_TAGS) {
            throw new IllegalArgumentException("a tag filter names 1 to " + MAX_TAGS + " tags, had " + tags.size());
        }
        return sorted(tags);
    }

    private static SortedSet<String> sorted(Set<String> tags) {
        tags.forEach(tag -> Surrogates.refuse("a tag of a filter", tag));
        return Collections.unmodifiableSortedSet(new TreeSet<>(tags));
    }
}
