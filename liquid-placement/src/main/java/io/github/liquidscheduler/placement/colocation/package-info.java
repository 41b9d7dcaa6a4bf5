/**
 * Co-location of jobs on one GPU: policies, modes and triggers. The entry is {@link
 * io.github.liquidscheduler.placement.colocation.Colocation}.
 */
@NullMarked
package io.github.liquidscheduler.placement.colocation;

import org.jspecify.annotations.NullMarked;
