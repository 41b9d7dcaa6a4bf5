/**
 * The baselines of the simulator of Lucid (Hu et al., ASPLOS 2023): {@link
 * io.github.liquidscheduler.lab.reference.lucid.LucidSimulator} schedules jobs on nodes of eight
 * GPUs, second by second, with placements that are as narrow as can be.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.lucid;

import org.jspecify.annotations.NullMarked;
