/**
 * A reference simulation of the Pollux artefact (Qiao et al., OSDI 2021): elastic training jobs on
 * a cluster of equal nodes, whose speed depends on placement and batch size as measured. Policies
 * decide each minute. {@link io.github.liquidscheduler.lab.reference.pollux.GoodputSimulator} is
 * the entry.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.pollux;

import org.jspecify.annotations.NullMarked;
