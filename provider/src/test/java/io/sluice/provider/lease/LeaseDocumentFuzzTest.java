package io.sluice.provider.lease;

import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.testkit.fuzz.Fuzz;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeaseDocumentFuzzTest {
    @Test
    void a_damaged_lease_is_malformed_or_read_consistently() {
        var free = document(null);
        var held = document(new Lease("ada", 6, Duration.ofSeconds(60)));

        Fuzz.of("leases", List.of(DocumentJson.write(free.toJson()), DocumentJson.write(held.toJson())))
                .refusedBy(MalformedDocumentException.class)
                .rewritten(text -> {
                    var lease = LeaseDocument.fromJson(DocumentJson.parse(text));
                    return DocumentJson.write(lease.toJson());
                });
    }

    private static LeaseDocument document(@Nullable Lease lease) {
        return new LeaseDocument("invoice-17", "__leases__:invoices", "ready", "{}", 5, lease);
    }
}
