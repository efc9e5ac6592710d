package io.sluice.durabletask.grpc;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The service for workers whose failures have many inner ones: they are read to a depth of {@value #MOST_LEVELS}, to be
 * cut. With protobuf's usual limit of 100 the answer would be refused, and the work stay in the worker's hand.
 */
public final class DeepAnswers {
    private static final int MOST_LEVELS = 500;

    private DeepAnswers() {}

    /** The service with these calls. */
    public static ServerServiceDefinition of(SidecarService service) {
        ServerServiceDefinition usual = service.bindService();
        Map<String, ServerMethodDefinition<?, ?>> methods = new LinkedHashMap<>();
        usual.getMethods().forEach(method -> put(methods, method));
        put(
                methods,
                deep(
                        TaskHubSidecarServiceGrpc.getCompleteActivityTaskMethod(),
                        ActivityResponse.getDefaultInstance(),
                        service::completeActivityTask));
        put(
                methods,
                deep(
                        TaskHubSidecarServiceGrpc.getCompleteOrchestratorTaskMethod(),
                        OrchestratorResponse.getDefaultInstance(),
                        service::completeOrchestratorTask));
        ServiceDescriptor.Builder descriptor = ServiceDescriptor.newBuilder(
                        usual.getServiceDescriptor().getName())
                .setSchemaDescriptor(usual.getServiceDescriptor().getSchemaDescriptor());
        methods.values().forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
        ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(descriptor.build());
        methods.values().forEach(definition::addMethod);
        return definition.build();
    }

    private static void put(Map<String, ServerMethodDefinition<?, ?>> methods, ServerMethodDefinition<?, ?> method) {
        methods.put(method.getMethodDescriptor().getFullMethodName(), method);
    }

    private static <Q extends Message, R> ServerMethodDefinition<Q, R> deep(
            MethodDescriptor<Q, R> method, Q prototype, ServerCalls.UnaryMethod<Q, R> call) {
        return ServerMethodDefinition.create(
                method.toBuilder(
                                ProtoUtils.marshallerWithRecursionLimit(prototype, MOST_LEVELS),
                                method.getResponseMarshaller())
                        .build(),
                ServerCalls.asyncUnaryCall(call));
    }
}
