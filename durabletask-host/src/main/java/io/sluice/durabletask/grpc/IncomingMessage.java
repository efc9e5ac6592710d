package io.sluice.durabletask.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A message that has arrived and is not parsed yet: parsing it decompresses it, as far as its share allows. */
final class IncomingMessage extends FilterInputStream {
    /** Leaves messages as they arrive. */
    static final Marshaller<IncomingMessage> UNPARSED = new Marshaller<>() {
        @Override
        public InputStream stream(IncomingMessage message) {
            // gRPC parses a message faster whose length it knows.
            return message.in instanceof KnownLength ? message.in : message;
        }

        @Override
        public IncomingMessage parse(InputStream stream) {
            return new IncomingMessage(stream);
        }
    };

    private long bytes;
    private @Nullable MessageShare share;

    private IncomingMessage(InputStream stream) {
        super(stream);
    }

    /**
     * Lets the message be parsed within this share.
     *
     * @throws io.grpc.StatusRuntimeException when it is too large; so does reading, where the length is not known yet
     */
    void open(MessageShare ofCall) throws IOException {
        share = ofCall;
        if (in instanceof KnownLength) {
            ofCall.takeAll(in.available());
        }
    }

    /** Once it is parsed: keeps of the share what it has turned out to need. */
    void keepShare() {
        if (share != null && !(in instanceof KnownLength)) {
            share.shrinkTo(bytes);
        }
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        count(Math.max(read, 0));
        return read;
    }

    @Override
    public long skip(long length) throws IOException {
        long skipped = super.skip(length);
        count(skipped);
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void count(long more) {
        bytes += more;
        if (share != null) {
            share.growTo(bytes);
        }
    }
}
