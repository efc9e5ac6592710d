/**
 * A thin layer over the SDK: what the store ordinarily answers is a value here
 * ({@link io.sluice.provider.cosmos.request.WriteOutcome}), and only {@link io.sluice.provider.cosmos.request.Failures}
 * turns one into an exception. Start with {@link io.sluice.provider.cosmos.request.ContainerRequests}.
 */
@NullMarked
package io.sluice.provider.cosmos.request;

import org.jspecify.annotations.NullMarked;
