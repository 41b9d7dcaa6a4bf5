/** Size changes of running jobs, with their measured speeds and pauses. */
@NullMarked
package io.github.liquidscheduler.scheduler.resize;

import org.jspecify.annotations.NullMarked;
