/** Cases about what is due to queues, and how much they borrow. */
@NullMarked
package io.github.liquidscheduler.lab.conformance.quota;

import org.jspecify.annotations.NullMarked;
