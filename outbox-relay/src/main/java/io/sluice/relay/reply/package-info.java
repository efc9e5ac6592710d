/**
 * Which topics the relay may write replies to commands into. Read {@link io.sluice.relay.reply.ReplyTopics} first.
 */
@NullMarked
package io.sluice.relay.reply;

import org.jspecify.annotations.NullMarked;
