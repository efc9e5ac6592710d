package io.sluice.provider;

import org.jspecify.annotations.Nullable;

/**
 * An instance's custom status.
 *
 * @param status null when it was cleared
 * @param version grows by one with every turn that touches the status; 0 means never set
 */
public record CustomStatus(@Nullable String status, long version) {}
