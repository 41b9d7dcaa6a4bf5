/**
 * Cases of other schedulers: {@link io.github.liquidscheduler.lab.conformance.peer.PeerCases} reads
 * a file of them.
 */
@NullMarked
package io.github.liquidscheduler.lab.conformance.peer;

import org.jspecify.annotations.NullMarked;
