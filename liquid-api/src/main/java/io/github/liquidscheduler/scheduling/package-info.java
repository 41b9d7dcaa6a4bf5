/**
 * Events in, decisions out: {@link io.github.liquidscheduler.scheduling.Scheduler} is a
 * deterministic state machine over {@link io.github.liquidscheduler.scheduling.ClusterEvent}s that
 * answers with {@link io.github.liquidscheduler.scheduling.Decision}s and can say why a job waits
 * ({@link io.github.liquidscheduler.explanation.Explanation}).
 */
@NullMarked
package io.github.liquidscheduler.scheduling;

import org.jspecify.annotations.NullMarked;
