/** HiveD's virtual clusters and cells, to compare with. */
@NullMarked
package io.github.liquidscheduler.simulator.baseline.hived;

import org.jspecify.annotations.NullMarked;
