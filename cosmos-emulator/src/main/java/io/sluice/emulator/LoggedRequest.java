package io.sluice.emulator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer. {@link Faults} sees it before there is one: its status is 0 then.
 *
 * @param sequence its place among all requests, from 1, by arrival
 * @param at when it arrived
 * @param operation what it asks for
 * @param method of HTTP
 * @param path decoded, with its leading slash
 * @param container the container it names, null for none
 * @param partitionKey the raw header, a JSON array; null when it is not scoped to one
 * @param itemId the item it names, in its path or its document; null for none
 * @param body a query's text, or a batch's operations as {@code create:id} with commas between; empty for other
 *     requests
 * @param status of the answer; for an answer that was lost, the one the client never saw
 * @param subStatus of the answer, 0 for none
 * @param requestCharge in request units
 * @param itemCount documents returned
 * @param itemsRead documents a page was chosen from, whether or not they were returned; 0 for other answers
 * @param bytesIn of the request's body
 * @param bytesOut of the answer's body
 * @param took from its arrival until its answer was there, without the way over the network
 * @param region it came to
 * @param fault that was applied to it, null for none
 * @param userAgent of the client, whose end is the suffix that the client chose; empty for none
 * @param priority that the client asks for it, {@code High} or {@code Low}; empty where it says nothing
 * @param keyRange that the client asks, as {@code pkranges} names it; null where it names none
 */
public record LoggedRequest(
        long sequence,
        Instant at,
        RequestKind operation,
        String method,
        String path,
        @Nullable String container,
        @Nullable String partitionKey,
        @Nullable String itemId,
        String body,
        int status,
        int subStatus,
        double requestCharge,
        int itemCount,
        long itemsRead,
        int bytesIn,
        int bytesOut,
        Duration took,
        String region,
        @Nullable String fault,
        String userAgent,
        String priority,
        @Nullable String keyRange) {}
