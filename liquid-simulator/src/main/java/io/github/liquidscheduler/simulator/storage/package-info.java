/**
 * Data sets on the disks of simulated nodes, and how they come there from a storage: {@link
 * io.github.liquidscheduler.simulator.storage.JobLaunches}.
 */
@NullMarked
package io.github.liquidscheduler.simulator.storage;

import org.jspecify.annotations.NullMarked;
