/** The protocol's service over gRPC: each call goes to the task hub that it names. */
@NullMarked
package io.sluice.durabletask.grpc;

import org.jspecify.annotations.NullMarked;
