package io.sluice.provider.world.site;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.http.RequestInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * What the emulator asks about every request. One process runs at a time, so whatever comes in belongs to the request
 * that was granted last. Requests for plans and descriptions are nobody's, and change nothing. Thread-safe.
 */
public final class Wire implements RequestInterceptor {
    private final String container;
    private volatile @Nullable Grant granted;

    public Wire(String container) {
        this.container = container;
    }

    public void grant(@Nullable Grant next) {
        granted = next;
    }

    @Override
    public Action intercept(LoggedRequest request) {
        var grant = granted;
        return grant != null && isData(request) ? grant.arriving(request) : new Proceed();
    }

    @Override
    public void record(LoggedRequest request) {
        var grant = granted;
        if (grant != null && isData(request)) {
            grant.answered(request);
        }
    }

    private boolean isData(LoggedRequest request) {
        return request.operation().isData() && container.equals(request.container());
    }
}
