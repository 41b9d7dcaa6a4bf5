/**
 * Which running jobs have to leave so that another fits. The entry is {@link
 * io.github.liquidscheduler.placement.eviction.EvictionSearch}.
 */
@NullMarked
package io.github.liquidscheduler.placement.eviction;

import org.jspecify.annotations.NullMarked;
