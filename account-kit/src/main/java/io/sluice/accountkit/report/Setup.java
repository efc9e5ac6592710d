package io.sluice.accountkit.report;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was measured with and on what, as far as it may be told to others: no endpoint, no key, no name.
 *
 * @param version of this program
 * @param way of requests: direct or gateway
 * @param regions of the account
 * @param consistency the account's default
 * @param partitions physical ones of a container
 */
public record Setup(String version, String way, int regions, String consistency, int partitions) {
    /** By what they are called, in order. */
    Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("sluice", version);
        facts.put("requests", way);
        facts.put("regions", String.valueOf(regions));
        facts.put("consistency", consistency);
        facts.put("physical partitions", String.valueOf(partitions));
        return facts;
    }
}
