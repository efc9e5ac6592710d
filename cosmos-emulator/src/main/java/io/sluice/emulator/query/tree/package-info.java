/**
 * A parsed query as an immutable tree that runs itself. Read {@link io.sluice.emulator.query.tree.SelectQuery} first.
 */
@NullMarked
package io.sluice.emulator.query.tree;

import org.jspecify.annotations.NullMarked;
