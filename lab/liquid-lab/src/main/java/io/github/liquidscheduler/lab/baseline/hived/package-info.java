/** HiveD's virtual clusters and cells, to compare with. */
@NullMarked
package io.github.liquidscheduler.lab.baseline.hived;

import org.jspecify.annotations.NullMarked;
