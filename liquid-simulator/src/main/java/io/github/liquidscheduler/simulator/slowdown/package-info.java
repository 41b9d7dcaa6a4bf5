/**
 * Measured slowdowns of jobs that share GPUs: a {@link
 * io.github.liquidscheduler.simulator.slowdown.SlowdownTable} holds them, {@link
 * io.github.liquidscheduler.simulator.slowdown.MeasuredJobs} maps a trace's jobs to it, and a
 * {@link io.github.liquidscheduler.simulator.slowdown.SharingMeter} reports the results of sharing.
 */
@NullMarked
package io.github.liquidscheduler.simulator.slowdown;

import org.jspecify.annotations.NullMarked;
