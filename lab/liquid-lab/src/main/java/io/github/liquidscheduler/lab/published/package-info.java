/**
 * Published experiments, run again with the scheduler and the placers of this library. Begin with
 * {@link io.github.liquidscheduler.lab.published.ImmediateMode}.
 */
@NullMarked
package io.github.liquidscheduler.lab.published;

import org.jspecify.annotations.NullMarked;
