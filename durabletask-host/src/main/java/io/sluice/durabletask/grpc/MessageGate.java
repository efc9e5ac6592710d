package io.sluice.durabletask.grpc;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;

/**
 * Keeps what callers send from filling the heap, compressed or not: a message is decompressed and parsed only within
 * its method's limit, and while there is room for it beside the others. What has none is refused as RESOURCE_EXHAUSTED.
 * Thread-safe.
 */
public final class MessageGate {
    private static final Set<String> ANSWERS = Set.of(
            TaskHubSidecarServiceGrpc.getCompleteActivityTaskMethod().getFullMethodName(),
            TaskHubSidecarServiceGrpc.getCompleteOrchestratorTaskMethod().getFullMethodName());
    private static final Marshaller<InputStream> AS_IT_IS = new Marshaller<>() {
        @Override
        public InputStream stream(InputStream value) {
            return value;
        }

        @Override
        public InputStream parse(InputStream stream) {
            return stream;
        }
    };

    private final MessageLimits limits;
    private final ScheduledExecutorService timer;
    private final Semaphore free;

    /**
     * A gate for all services of a server.
     *
     * @param timer ends calls that bring a large message and then nothing
     */
    public MessageGate(MessageLimits limits, ScheduledExecutorService timer) {
        this.limits = limits;
        this.timer = timer;
        this.free = new Semaphore(limits.totalBytes());
    }

    /** The service behind this gate. What lets calls in comes before it. */
    public ServerServiceDefinition before(BindableService service) {
        return before(service.bindService());
    }

    /** The same for a service with marshallers of its own. */
    public ServerServiceDefinition before(ServerServiceDefinition service) {
        return ServerInterceptors.intercept(
                ServerInterceptors.useMarshalledMessages(service, IncomingMessage.UNPARSED, AS_IT_IS),
                new Gatekeeper());
    }

    private int limit(MethodDescriptor<?, ?> method) {
        if (!TaskHubSidecarServiceGrpc.SERVICE_NAME.equals(method.getServiceName())) {
            // Health and reflection, which need no token.
            return MessageShare.SMALL_BYTES;
        }
        return ANSWERS.contains(method.getFullMethodName()) ? limits.answerBytes() : limits.requestBytes();
    }

    private final class Gatekeeper implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            MethodDescriptor<Q, R> method = call.getMethodDescriptor();
            MessageShare share = new MessageShare(method.getBareMethodName(), limit(method), free, limits.totalBytes());
            return new IncomingCall<>(call, next.startCall(call, headers), share, timer, limits.unfinished());
        }
    }
}
