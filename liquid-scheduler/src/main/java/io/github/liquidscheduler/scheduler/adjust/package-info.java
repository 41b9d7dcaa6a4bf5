/** Changes for jobs that run: those that interfere with each other, and those whose node failed. */
@NullMarked
package io.github.liquidscheduler.scheduler.adjust;

import org.jspecify.annotations.NullMarked;
