package io.sluice.durabletask.client;

import io.sluice.durabletask.history.EventDecoder;
import io.sluice.durabletask.wire.Protocol.HistoryChunk;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.StreamInstanceHistoryRequest;
import java.util.List;
import java.util.function.Consumer;

/** Sends histories in chunks. Thread-safe. */
public final class HistoryStream {
    /** Well below the four megabytes that clients take by default, unless one event alone is larger. */
    private static final int MAX_CHUNK_BYTES = 2 * 1024 * 1024;

    private final ClientContext context;
    private final States states;

    /** Of one task hub. */
    public HistoryStream(ClientContext context, States states) {
        this.context = context;
        this.states = states;
    }

    /** Sends the history of the latest execution. */
    public void send(StreamInstanceHistoryRequest request, Consumer<HistoryChunk> receiver) {
        String instance = states.require(request.getInstanceId()).instanceId();
        List<HistoryEvent> events = EventDecoder.pastEvents(context.provider().read(instance));
        HistoryChunk.Builder chunk = HistoryChunk.newBuilder();
        int bytes = 0;
        for (HistoryEvent event : events) {
            int size = event.getSerializedSize();
            if (bytes > 0 && bytes + size > MAX_CHUNK_BYTES) {
                receiver.accept(chunk.build());
                chunk.clear();
                bytes = 0;
            }
            chunk.addEvents(event);
            bytes += size;
        }
        if (bytes > 0) {
            receiver.accept(chunk.build());
        }
    }
}
