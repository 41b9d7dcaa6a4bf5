/**
 * The search for running jobs to evict so that another fits. The entry is {@link
 * io.github.liquidscheduler.placement.eviction.EvictionSearch}.
 */
@NullMarked
package io.github.liquidscheduler.placement.eviction;

import org.jspecify.annotations.NullMarked;
