package io.sluice.durabletask.worker;

import io.grpc.stub.ServerCallStreamObserver;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import java.util.ArrayList;
import java.util.List;

/** The server's end of a stream, without a network. Not thread-safe. */
public final class FakeStream extends ServerCallStreamObserver<WorkItem> {
    /** What was sent. */
    public final List<WorkItem> sent = new ArrayList<>();

    public boolean isReady = true;
    public boolean isCancelled;
    public boolean isCompleted;

    @Override
    public boolean isCancelled() {
        return isCancelled;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public boolean isReady() {
        return isReady;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void onNext(WorkItem value) {
        sent.add(value);
    }

    @Override
    public void onError(Throwable failure) {
        throw new AssertionError(failure);
    }

    @Override
    public void onCompleted() {
        isCompleted = true;
    }
}
