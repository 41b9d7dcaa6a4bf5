/**
 * Search for co-runners of jobs and gangs by a {@link
 * io.github.liquidscheduler.placement.colocation.Colocation}. The entry is {@link
 * io.github.liquidscheduler.placement.colocation.search.ColocationPlacer}.
 */
@NullMarked
package io.github.liquidscheduler.placement.colocation.search;

import org.jspecify.annotations.NullMarked;
