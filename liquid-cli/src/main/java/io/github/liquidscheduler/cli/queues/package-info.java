/**
 * Queues of simulated traces: {@link io.github.liquidscheduler.cli.queues.QueueOptions} reads their
 * tree, {@link io.github.liquidscheduler.cli.queues.FairnessText} prints how they were treated.
 */
@NullMarked
package io.github.liquidscheduler.cli.queues;

import org.jspecify.annotations.NullMarked;
