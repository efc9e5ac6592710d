package io.sluice.emulator;

import com.azure.cosmos.models.FeedRange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Feed ranges that have nothing to do with physical partitions. */
final class FeedRanges {
    private FeedRanges() {}

    /** The key space in equal parts. */
    static List<FeedRange> cut(int parts) {
        var ranges = new ArrayList<FeedRange>();
        var from = "";
        for (int i = 1; i <= parts; i++) {
            var to = i == parts ? "FF" : "%016X".formatted((1L << 62) / parts * i) + "0".repeat(16);
            ranges.add(of(from, to));
            from = to;
        }
        return ranges;
    }

    static FeedRange of(String min, String max) {
        var json = "{\"Range\":{\"min\":\"" + min + "\",\"max\":\"" + max + "\"}}";
        return FeedRange.fromString(Base64.getUrlEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8)));
    }
}
