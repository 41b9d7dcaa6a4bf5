/** What is remembered of running jobs that were moved so that others fit. */
@NullMarked
package io.github.liquidscheduler.scheduler.moves;

import org.jspecify.annotations.NullMarked;
