/** The test kit's own tests. Read EmbeddedKafkaIT first. */
@NullMarked
package io.sluice.testkit;

import org.jspecify.annotations.NullMarked;
