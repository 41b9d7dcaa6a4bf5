/** Placers, costs and co-location policies as other schedulers have them, to compare with. */
@NullMarked
package io.github.liquidscheduler.lab.baseline;

import org.jspecify.annotations.NullMarked;
