package io.sluice.provider;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which activities a worker serves, by their tag. Sets hold 1 to 5 tags. */
public sealed interface TagFilter {
    /** Most tags a filter may name. */
    int MAX_TAGS = 5;

    /** Whether an activity with this tag (null: untagged) is served. */
    boolean matches(@Nullable String tag);

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

    private static SortedSet<String> checked(Set<String> tags) {
        if (tags.isEmpty() || tags.size() > MAX_TAGS) {
            throw new IllegalArgumentException("a tag filter names 1 to " + MAX_TAGS + " tags, had " + tags.size());
        }
        return Collections.unmodifiableSortedSet(new TreeSet<>(tags));
    }
}
