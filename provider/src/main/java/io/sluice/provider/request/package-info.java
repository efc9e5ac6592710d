/**
 * A thin layer over the SDK: what the store ordinarily answers is a value here
 * ({@link io.sluice.provider.request.WriteOutcome}), and only {@link io.sluice.provider.request.Failures}
 * turns one into an exception. Start with {@link io.sluice.provider.request.ContainerRequests}.
 */
@NullMarked
package io.sluice.provider.request;

import org.jspecify.annotations.NullMarked;
