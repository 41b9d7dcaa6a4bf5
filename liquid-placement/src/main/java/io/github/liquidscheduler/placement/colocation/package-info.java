/**
 * Co-location of jobs on one GPU: which co-runners a job may have, and when. The entry is {@link
 * io.github.liquidscheduler.placement.colocation.Colocation}.
 */
@NullMarked
package io.github.liquidscheduler.placement.colocation;

import org.jspecify.annotations.NullMarked;
