/**
 * Which events may be taken, and what each does to the state. The entry is {@link
 * io.github.liquidscheduler.scheduler.admit.Admit}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.admit;

import org.jspecify.annotations.NullMarked;
