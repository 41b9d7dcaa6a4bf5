/**
 * Measured slowdowns of jobs that share GPUs: a {@link
 * io.github.liquidscheduler.simulator.slowdown.SlowdownTable} has them, {@link
 * io.github.liquidscheduler.simulator.slowdown.MeasuredJobs} are the jobs of a trace that it is
 * about, and a {@link io.github.liquidscheduler.simulator.slowdown.SharingMeter} says what sharing
 * came to.
 */
@NullMarked
package io.github.liquidscheduler.simulator.slowdown;

import org.jspecify.annotations.NullMarked;
