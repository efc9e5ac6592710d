package io.sluice.emulator.http;

import io.sluice.emulator.changefeed.FeedStart;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.ResourcePath;
import io.sluice.testkit.fuzz.Fuzz;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Values that clients hand back or make up: positions of the change feed, paths, signatures. Each is read, or refused
 * with 400 or 401.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HeaderFuzzTest {
    @Test
    void a_damaged_position_of_the_change_feed_is_read_or_refused() {
        Fuzz.of("positions by LSN", List.of("\"5\"", "5", "*", "\"9223372036854775807\""))
                .refusedBy(StatusException.class)
                .read(text -> FeedStart.parse(text, null));
        Fuzz.of("positions by time", List.of("Thu, 01 Jan 2026 00:00:00 GMT", "Sat, 3 Jun 2028 23:59:59 +0530"))
                .refusedBy(StatusException.class)
                .read(text -> FeedStart.parse(null, text));
    }

    @Test
    void a_damaged_path_is_taken_apart_or_refused() {
        Fuzz.of("paths", List.of("/dbs/d/colls/c/docs/a%20b%C3%A9?x=1", "http://localhost:8081/dbs/d", "/", "*"))
                .refusedBy(StatusException.class)
                .read(text -> {
                    var path = ResourcePath.parse(text);
                    path.signedLink();
                    path.signedRid();
                    path.resourceType();
                    path.shape();
                });
    }

    @Test
    void a_damaged_signature_is_refused() {
        var authenticator = new MasterKeyAuthenticator("a2V5");
        Fuzz.of(
                        "signatures",
                        List.of("type%3dmaster%26ver%3d1.0%26sig%3d0r6Kj9r4m1rn6mUi0FpK2kEd5dN3nTdUu%2fQZ8BzGxYk%3d"))
                .read(text -> {
                    try {
                        authenticator.authenticate(
                                HandledRequests.request("GET /dbs/d\nx-ms-date: x\nauthorization: " + text));
                    } catch (StatusException refusal) {
                        if (refusal.status() != 401) {
                            throw refusal;
                        }
                    }
                });
    }
}
