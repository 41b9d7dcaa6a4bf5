/**
 * The ground truth of speed, which moves a simulation and is hidden from its scheduler: {@link
 * io.github.liquidscheduler.simulator.truth.GroundTruth}.
 */
@NullMarked
package io.github.liquidscheduler.simulator.truth;

import org.jspecify.annotations.NullMarked;
