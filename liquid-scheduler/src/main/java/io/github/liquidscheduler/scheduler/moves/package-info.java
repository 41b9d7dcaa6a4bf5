/** Memory of running jobs that were moved to make others fit. */
@NullMarked
package io.github.liquidscheduler.scheduler.moves;

import org.jspecify.annotations.NullMarked;
