/**
 * Cases of other schedulers: {@link io.github.liquidscheduler.simulator.conformance.peer.PeerCases}
 * reads a file of them.
 */
@NullMarked
package io.github.liquidscheduler.simulator.conformance.peer;

import org.jspecify.annotations.NullMarked;
