package io.sluice.provider.outbox;

import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.WriteOutcome;
import java.util.List;

/** Writes to many intents of one source, where what vanished or changed meanwhile is left alone. */
final class UnchangedIntents {
    private UnchangedIntents() {}

    /**
     * Writes them. One request per hundred, and one more for each that vanished or changed.
     *
     * @return how many were written
     * @throws io.sluice.provider.ProviderException when the store refuses or could not be reached; some may be written
     */
    static int write(ContainerRequests requests, Call call, String source, List<? extends BatchWrite> writes) {
        int written = 0;
        for (List<BatchWrite> some : BatchWrite.<BatchWrite>portions(writes)) {
            written += writeBatch(requests, call, source, some);
        }
        return written;
    }

    private static int writeBatch(ContainerRequests requests, Call call, String source, List<BatchWrite> writes) {
        while (!writes.isEmpty()) {
            WriteOutcome answer = requests.batchPatiently(call, source, writes);
            int written = answer.match(
                    committed -> writes.size(),
                    refused -> {
                        writes.remove(refused.index());
                        return 0;
                    },
                    Failures.throwing(call),
                    Failures.throwing(call));
            if (written > 0) {
                return written;
            }
        }
        return 0;
    }
}
