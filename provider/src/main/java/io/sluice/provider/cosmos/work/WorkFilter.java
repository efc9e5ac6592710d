package io.sluice.provider.cosmos.work;

/** What a dispatcher runs. Filters that are equal take the same; the same needs get the same answer each time. */
@FunctionalInterface
public interface WorkFilter {
    /** Whether a dispatcher with this filter may take work with these needs, which are known. */
    boolean accepts(WorkNeeds needs);
}
