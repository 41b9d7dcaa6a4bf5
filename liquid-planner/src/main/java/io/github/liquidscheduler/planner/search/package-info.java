/**
 * Searches for the best plan with Timefold. The entry is {@link
 * io.github.liquidscheduler.planner.search.TimefoldSearch}.
 */
@NullMarked
package io.github.liquidscheduler.planner.search;

import org.jspecify.annotations.NullMarked;
