/**
 * Checks of events and their effects on the state. The entry is {@link
 * io.github.liquidscheduler.scheduler.admit.Admit}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.admit;

import org.jspecify.annotations.NullMarked;
