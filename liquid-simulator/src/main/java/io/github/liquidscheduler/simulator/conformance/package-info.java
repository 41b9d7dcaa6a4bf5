/**
 * Cases of other schedulers, run through this one and graded: {@link
 * io.github.liquidscheduler.simulator.conformance.Conformance}.
 */
@NullMarked
package io.github.liquidscheduler.simulator.conformance;

import org.jspecify.annotations.NullMarked;
