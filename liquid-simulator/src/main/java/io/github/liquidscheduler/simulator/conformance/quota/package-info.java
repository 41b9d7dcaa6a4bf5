/** Cases about what is due to queues, and how much they borrow. */
@NullMarked
package io.github.liquidscheduler.simulator.conformance.quota;

import org.jspecify.annotations.NullMarked;
