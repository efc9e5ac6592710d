package io.sluice.accountkit.site;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The log sequence number in a session token of one partition. */
public final class SessionToken {
    private static final Pattern FORM = Pattern.compile("[^:,]*:(?:-?\\d+#)?(-?\\d+)(?:#[^,]*)?");

    private SessionToken() {}

    /** The number in {@code <range>:<version>#<number>#<region>=<number>} or {@code <range>:<number>}. */
    public static OptionalLong number(String token) {
        Matcher form = FORM.matcher(token);
        return form.matches() ? OptionalLong.of(Long.parseLong(form.group(1))) : OptionalLong.empty();
    }
}
