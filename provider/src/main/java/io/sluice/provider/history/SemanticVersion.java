package io.sluice.provider.history;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A semantic version. The order is that of semantic versioning: a pre-release comes before its release.
 *
 * @param preRelease dot-separated identifiers after the hyphen; empty for a release
 * @param build dot-separated identifiers after the plus sign; has no part in the order
 */
public record SemanticVersion(long major, long minor, long patch, String preRelease, String build)
        implements Comparable<SemanticVersion> {
    private static final long MAJOR_UNIT = 1_000_000;
    private static final long MINOR_UNIT = 1_000;
    private static final String NUMBER = "(0|[1-9][0-9]{0,18})";
    private static final String IDENTIFIER = "[0-9A-Za-z-]+";
    private static final String NO_LEADING_ZERO = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
    private static final int MAX_CHARACTERS = 256;
    private static final Pattern FORM = Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER
            + "(?:-" + dotted(NO_LEADING_ZERO) + ")?"
            + "(?:\\+" + dotted(IDENTIFIER) + ")?");

    public SemanticVersion {
        Objects.requireNonNull(preRelease, "preRelease");
        Objects.requireNonNull(build, "build");
        if (major < 0 || minor < 0 || patch < 0) {
            throw new IllegalArgumentException(
                    "a version has no negative parts, was " + major + "." + minor + "." + patch);
        }
    }

    /** A release. */
    public static SemanticVersion of(long major, long minor, long patch) {
        return new SemanticVersion(major, minor, patch, "", "");
    }

    /**
     * Reads a version in its usual spelling, of at most 256 characters.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static SemanticVersion parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (text.length() > MAX_CHARACTERS || !matcher.matches()) {
            throw new IllegalArgumentException("expected a semantic version, was " + text);
        }
        String preRelease = Objects.requireNonNullElse(matcher.group(4), "");
        String build = Objects.requireNonNullElse(matcher.group(5), "");
        return new SemanticVersion(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                preRelease,
                build);
    }

    /**
     * The version in one number: major · 1 000 000 + minor · 1 000 + patch. Loses pre-release and build, and is not one
     * to one when minor or patch reach 1 000.
     *
     * @throws ArithmeticException when it does not fit
     */
    public long packed() {
        return Math.addExact(
                Math.addExact(Math.multiplyExact(major, MAJOR_UNIT), Math.multiplyExact(minor, MINOR_UNIT)), patch);
    }

    /**
     * The release that packs to this number with minor and patch below 1 000.
     *
     * @throws IllegalArgumentException when the number is negative
     */
    public static SemanticVersion fromPacked(long packed) {
        if (packed < 0) {
            throw new IllegalArgumentException("a packed version is not negative, was " + packed);
        }
        return of(packed / MAJOR_UNIT, packed % MAJOR_UNIT / MINOR_UNIT, packed % MINOR_UNIT);
    }

    private static String dotted(String identifier) {
        return "(" + identifier + "(?:\\." + identifier + ")*)";
    }

    @Override
    public int compareTo(SemanticVersion other) {
        int byMajor = Long.compare(major, other.major);
        if (byMajor != 0) {
            return byMajor;
        }
        int byMinor = Long.compare(minor, other.minor);
        if (byMinor != 0) {
            return byMinor;
        }
        int byPatch = Long.compare(patch, other.patch);
        return byPatch != 0 ? byPatch : comparePreReleases(preRelease, other.preRelease);
    }

    private static int comparePreReleases(String left, String right) {
        if (left.isEmpty() || right.isEmpty()) {
            return Boolean.compare(left.isEmpty(), right.isEmpty());
        }
        String[] lefts = left.split("\\.", -1);
        String[] rights = right.split("\\.", -1);
        for (int i = 0; i < Math.min(lefts.length, rights.length); i++) {
            int byIdentifier = compareIdentifiers(lefts[i], rights[i]);
            if (byIdentifier != 0) {
                return byIdentifier;
            }
        }
        return Integer.compare(lefts.length, rights.length);
    }

    private static int compareIdentifiers(String left, String right) {
        boolean leftNumeric = isNumeric(left);
        boolean rightNumeric = isNumeric(right);
        if (leftNumeric != rightNumeric) {
            return leftNumeric ? -1 : 1;
        }
        if (leftNumeric && left.length() != right.length()) {
            return Integer.compare(left.length(), right.length());
        }
        return left.compareTo(right);
    }

    private static boolean isNumeric(String identifier) {
        return identifier.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** The usual spelling. */
    @Override
    public String toString() {
        return major + "." + minor + "." + patch + (preRelease.isEmpty() ? "" : "-" + preRelease)
                + (build.isEmpty() ? "" : "+" + build);
    }
}
