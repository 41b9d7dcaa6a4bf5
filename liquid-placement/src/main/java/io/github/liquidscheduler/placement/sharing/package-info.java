/**
 * Several jobs on one GPU: {@link io.github.liquidscheduler.placement.sharing.SharingPlacer} finds
 * company for jobs that may share, by a {@link
 * io.github.liquidscheduler.placement.sharing.SharingRule} that says what each company costs.
 */
@NullMarked
package io.github.liquidscheduler.placement.sharing;

import org.jspecify.annotations.NullMarked;
