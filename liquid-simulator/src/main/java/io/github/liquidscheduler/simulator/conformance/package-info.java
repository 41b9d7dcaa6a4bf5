/**
 * Cases of other schedulers, run through this one: {@link
 * io.github.liquidscheduler.simulator.conformance.PeerCases} reads them, {@link
 * io.github.liquidscheduler.simulator.conformance.Conformance} runs and grades them.
 */
@NullMarked
package io.github.liquidscheduler.simulator.conformance;

import org.jspecify.annotations.NullMarked;
