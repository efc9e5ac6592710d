package io.sluice.provider.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.Collection;
import java.util.stream.Collectors;

/** Writes texts so that what stands between them can't be taken for a part of them: different ones differ. */
public final class Quoted {
    private Quoted() {}

    /** As JSON writes it. */
    public static String text(String text) {
        return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    /** In brackets, in their order. */
    public static String list(Collection<String> texts) {
        return texts.stream().map(Quoted::text).collect(Collectors.joining(", ", "[", "]"));
    }
}
