/**
 * How fast jobs really run: what moves a simulation and what its scheduler never sees. {@link
 * io.github.liquidscheduler.simulator.truth.GroundTruth} is asked by the engine alone.
 */
@NullMarked
package io.github.liquidscheduler.simulator.truth;

import org.jspecify.annotations.NullMarked;
