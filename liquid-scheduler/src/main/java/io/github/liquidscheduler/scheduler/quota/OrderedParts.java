package io.github.liquidscheduler.scheduler.quota;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a queue in the order in which they are served.
 *
 * @param leaves those in which jobs may stand
 * @param next what the next job asks for; null if none waits
 */
record OrderedParts(List<QueueAccount> leaves, @Nullable NextJob next) {}
